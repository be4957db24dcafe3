// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import Platform

/// A file that is only ever written to at its end, each time by one call of the system; of a pipe, a terminal or a socket
/// each call takes some lines.
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
    /// Whether there may be a reader at the other end, for whom a write could wait without end.
    ///
    /// Standard output cannot be told never to wait, as other processes have it too.
    private let hasReader: Bool
    /// Whether what is there already ends in the middle of a line, as after a crash on a full disk.
    let endsInsideLine: Bool

    /// Standard output, which stays open.
    init(standardOutput: Void) {
        descriptor = 1
        isOwned = false
        endsInsideLine = false
        hasReader = !Self.isFile(descriptor)
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
        hasReader = !Self.isFile(descriptor)
        endsInsideLine = Self.endsInsideLine(path)
    }

    deinit { if isOwned { close(descriptor) } }

    /// Appends bytes.
    ///
    /// - Throws: ``Failure`` when the system takes not all of them, and how many it took.
    func append(_ bytes: [UInt8]) throws(Failure) {
        var start = 0
        while start < bytes.count {
            if hasReader, !hasRoom() { throw Failure(reason: Self.unread, written: start) }
            let end = hasReader ? Self.endOfPart(of: bytes, from: start) : bytes.count
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<end])
                return unsafe write(descriptor, rest.baseAddress, rest.count)
            }
            if count > 0 {
                start += count
            } else if count < 0, errno == EAGAIN {
                // The reader of a pipe that is full may only be slow.
                guard hasRoom() else { throw Failure(reason: Self.unread, written: start) }
            } else if count == 0 || errno != EINTR {
                throw Failure(reason: count == 0 ? "takes nothing" : SystemError.reason(errno), written: start)
            }
        }
    }

    /// Whether a descriptor is that of a file on a disk.
    private static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Waits a moment for room, or for a fault that a write would tell.
    private func hasRoom() -> Bool {
        !PollEvents.wait(for: .writable, of: descriptor, atMost: Self.patience).isEmpty
    }

    /// How long a slow reader is waited for.
    private static let patience = Duration.milliseconds(500)
    private static let unread = "its reader reads no more, and there is no room left"

    /// What a pipe takes at once as soon as it takes anything, in bytes.
    static let partSize = Int(PIPE_BUF)

    /// The end of what is written next: as many whole lines as fit into ``partSize``, or else a part of a line.
    static func endOfPart(of bytes: [UInt8], from start: Int) -> Int {
        guard bytes.count - start > partSize else { return bytes.count }
        let limit = start + partSize
        return bytes[start..<limit].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? limit
    }

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
