// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// The variables that the process was started with.
package enum ProcessEnvironment {
    /// A copy of them; of a repeated name the first counts, as it does for `getenv`.
    package static func current() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let parts = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, variables[String(parts[0])] == nil { variables[String(parts[0])] = String(parts[1]) }
            unsafe entry += 1
        }
        return variables
    }
}
