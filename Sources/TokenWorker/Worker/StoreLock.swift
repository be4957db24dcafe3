// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Glibc
internal import Platform

/// Keeps a second worker from an SQLite file, whatever broker or prefix it has.
///
/// The lock is on a file beside it, `FILE.lock`, which stays when the worker goes; the system frees the lock then.
package final class StoreLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// What became of an attempt.
    package enum Attempt: Sendable {
        /// The file is this process's for as long as the lock lives.
        case taken(StoreLock)
        /// A worker has it; who, where it says so.
        case held(by: String)
        /// There is nothing to lock, or the place does not allow it.
        case impossible(String)
    }

    /// Tries once.
    ///
    /// The corresponding C function is `flock`.
    ///
    /// - Parameters:
    ///   - path: the SQLite file.
    ///   - isToStay: whether this process is going to work with it: else no file is made, and none changed.
    /// - Returns: the lock, or why there is none.
    package static func attempt(_ path: String, isToStay: Bool = true) -> Attempt {
        let flags = O_RDWR | O_CLOEXEC | (isToStay ? O_CREAT : 0)
        let descriptor = unsafe open("\(resolved(path)).lock", flags, 0o600)
        guard descriptor >= 0 else { return .impossible(SystemError.reason(errno)) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            defer { close(descriptor) }
            return code == EWOULDBLOCK ? .held(by: holder(descriptor)) : .impossible(SystemError.reason(code))
        }
        if isToStay {
            let name = "\(ProcessIdentity.host)/\(ProcessIdentity.pid)\n"
            ftruncate(descriptor, 0)
            unsafe Array(name.utf8).withUnsafeBytes { _ = unsafe write(descriptor, $0.baseAddress, $0.count) }
        }
        return .taken(StoreLock(descriptor: descriptor))
    }

    /// Whether the lock's file is there, whosever it is.
    ///
    /// The corresponding C function is `access`.
    static func isThere(_ path: String) -> Bool { unsafe access("\(resolved(path)).lock", F_OK) == 0 }

    /// The one name of a file that may be reached by several: two workers must meet at one lock.
    private static func resolved(_ path: String) -> String {
        guard let real = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    private static func holder(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 300)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        let line = bytes.prefix(max(count, 0)).prefix { $0 > UInt8(ascii: " ") && $0 < 127 }
        return String(decoding: line, as: UTF8.self)
    }
}
