// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import Platform
import Synchronization

/// Writes whole texts to a file descriptor, at once and without a buffer of its own.
///
/// What is printed before a crash is therefore seen, and lines of several threads do not mix.
package struct FileWriter: Sendable {
    private let descriptor: Int32
    private let fault = Fault()

    /// What went wrong first.
    private final class Fault: Sendable {
        let reason = Mutex<String?>(nil)
    }

    /// Writes to an open file, pipe or terminal, which stays its owner's.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Results of a command.
    package static let standardOutput = FileWriter(descriptor: 1)
    /// Complaints, progress and logs.
    package static let standardError = FileWriter(descriptor: 2)

    /// Whether a person looks at what is written.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Why something could not be written, in the system's words; nil while everything has been.
    package var failure: String? { fault.reason.withLock(\.self) }

    /// Writes a text.
    package func write(_ text: String) { write(Array(text.utf8)) }

    /// Writes bytes; those that the reader's end no longer takes are dropped, and ``failure`` says why.
    package func write(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { buffer in
            var rest = unsafe buffer[...]
            while unsafe !rest.isEmpty {
                let written = unsafe Glibc.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written > 0 {
                    unsafe rest = rest.dropFirst(written)
                } else if written == 0 || errno != EINTR {
                    let reason = written == 0 ? "takes nothing" : SystemError.reason(errno)
                    fault.reason.withLock { $0 = $0 ?? reason }
                    return
                }
            }
        }
    }
}
