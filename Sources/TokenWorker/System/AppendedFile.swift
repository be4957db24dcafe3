// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import Platform

/// A file that is only ever written to at its end, each time by one call of the system.
///
/// Lines of several writers do not mix, and what a call has taken survives the process, whatever kills it: it is the
/// kernel's then. Only the machine's own end can lose it.
final class AppendedFile: Sendable {
    /// Why a file cannot be opened or written, in the system's words.
    struct Failure: Error, Hashable {
        let reason: String
        /// How many bytes were written before it.
        var written = 0
    }

    private let descriptor: Int32
    private let isOwned: Bool
    /// Whether what is there already ends in the middle of a line, as after a crash on a full disk.
    let endsInsideLine: Bool

    /// Standard output, which stays open.
    init(standardOutput: Void) {
        descriptor = 1
        isOwned = false
        endsInsideLine = false
    }

    /// Opens the file at `path`, or makes it, readable for its owner and group.
    ///
    /// - Throws: ``Failure`` with the reason.
    init(path: String) throws(Failure) {
        // A pipe without a reader is an error then, not an endless wait; for files it means nothing.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
        descriptor = unsafe open(path, flags, 0o640)
        guard descriptor >= 0 else { throw Failure(reason: SystemError.reason(errno)) }
        isOwned = true
        endsInsideLine = Self.endsInsideLine(path)
    }

    deinit { if isOwned { close(descriptor) } }

    /// Appends bytes.
    ///
    /// - Throws: ``Failure`` when the system takes not all of them, and how many it took.
    func append(_ bytes: [UInt8]) throws(Failure) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
                return unsafe write(descriptor, rest.baseAddress, rest.count)
            }
            if count > 0 {
                start += count
            } else if count < 0, errno == EAGAIN, hasRoom() {
                // The reader of a pipe that is full was only slow.
                continue
            } else if count == 0 || errno != EINTR {
                throw Failure(reason: count == 0 ? "takes nothing" : SystemError.reason(errno), written: start)
            }
        }
    }

    /// Waits a moment for room; leaves `errno` as it was where there is none.
    private func hasRoom() -> Bool {
        if PollEvents.wait(for: .writable, of: descriptor, atMost: Self.patience).contains(.writable) { return true }
        errno = EAGAIN
        return false
    }

    /// How long a slow reader is waited for.
    private static let patience = Duration.milliseconds(500)

    /// Whether the last byte of a file is not the end of a line; what cannot be read counts as none.
    private static func endsInsideLine(_ path: String) -> Bool {
        let reader = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard reader >= 0 else { return false }
        defer { close(reader) }
        guard lseek(reader, -1, SEEK_END) >= 0 else { return false }
        var last: UInt8 = 0
        return unsafe read(reader, &last, 1) == 1 && last != UInt8(ascii: "\n")
    }
}
