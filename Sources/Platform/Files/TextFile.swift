// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// Reads small files: configuration and secrets.
package enum TextFile {
    /// Why a file cannot be read.
    package enum Failure: Error, Hashable {
        /// The system refuses, in its words.
        case system(String)
        case larger(than: Int)

        /// The reason as it follows the file's name.
        package var reason: String {
            switch self {
            case .system(let words): words
            case .larger(than: let limit): "is larger than \(limit) bytes"
            }
        }
    }

    /// Reads a whole file.
    ///
    /// The corresponding C functions are `open` and `read`.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - limit: the most bytes that it may have.
    ///   - waits: whether a pipe in the place of the file may hold the caller until somebody writes.
    /// - Returns: its bytes.
    /// - Throws: ``Failure`` when it cannot be opened or read, or is larger.
    package static func bytes(
        at path: String, limit: Int = 1 << 20, waits: Bool = true
    ) throws(Failure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw .system(SystemError.reason(errno)) }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return content }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .system(SystemError.reason(errno))
            }
            content += chunk.prefix(count)
            if content.count > limit { throw .larger(than: limit) }
        }
    }
}
