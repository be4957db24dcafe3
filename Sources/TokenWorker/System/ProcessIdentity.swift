// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Glibc

/// The names by which operators tell processes apart.
package enum ProcessIdentity {
    /// The machine's name.
    package static let host: String = {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// The process's number.
    package static let pid = Int(getpid())
}
