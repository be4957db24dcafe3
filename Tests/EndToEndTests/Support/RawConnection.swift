// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import Synchronization
import TestSupport

/// A TCP connection to this machine that sends any bytes, and shows what comes back.
final class RawConnection: Sendable {
    private struct State {
        var received: [UInt8] = []
        var isClosed = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let reason = errno
            close(descriptor)
            throw TestFailure("no connection to port \(port): errno \(reason)")
        }
    }

    deinit { close(descriptor) }

    /// Sends bytes; those that the other end no longer takes are dropped.
    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Tells the other end that nothing more will come.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What has come so far, as text.
    func text() -> String { read().text }

    /// Whether the other end has closed.
    var isClosed: Bool { read().isClosed }

    private func read() -> (text: String, isClosed: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        return state.withLock { state in
            while !state.isClosed {
                let count = unsafe buffer.withUnsafeMutableBytes {
                    unsafe recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
                }
                if count > 0 {
                    state.received += buffer.prefix(count)
                } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                    state.isClosed = true
                } else {
                    break
                }
            }
            return (String(decoding: state.received, as: UTF8.self), state.isClosed)
        }
    }

    /// Waits until the other end has closed, and returns all that came.
    func untilClosed(within limit: Duration) async throws -> String {
        try await eventually(within: limit, "the end of a connection, after \(text().prefix(500))") { isClosed }
        return text()
    }

    /// Waits until so many answers have come, and returns the status of each.
    func statuses(_ count: Int, within limit: Duration) async throws -> [String] {
        try await firstAnswer(within: limit, "\(count) answers; there is \(text().prefix(500))") {
            let found = text().matches(of: #/HTTP/1\.1 ([0-9]{3}) /#).map { String($0.output.1) }
            return found.count >= count ? found : nil
        }
    }
}
