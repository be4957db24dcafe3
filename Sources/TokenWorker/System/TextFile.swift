// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// Reads small files: configuration and secrets.
package enum TextFile {
    /// Why a file cannot be read, in the system's words.
    package struct Failure: Error {
        package let reason: String
    }

    /// The bytes of the file at `path`, of at most `limit` bytes.
    ///
    /// - Throws: ``Failure`` when it cannot be opened or read, or is larger.
    package static func bytes(at path: String, limit: Int = 1 << 20) throws(Failure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(reason: reason(errno)) }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return content }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw Failure(reason: reason(errno))
            }
            content += chunk.prefix(count)
            if content.count > limit { throw Failure(reason: "is larger than \(limit) bytes") }
        }
    }

    /// The system's words for an error number.
    static func reason(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
