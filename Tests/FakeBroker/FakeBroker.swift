// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import Synchronization

/// A server on loopback that answers an AMQP handshake and every call, and then does what a test tells it to.
package final class FakeBroker: Sendable {
    /// What the server does on one connection once everything is set up.
    ///
    /// Not an enumeration with bytes in two of its cases: that hides which case it is in the pointer to them, so that a
    /// leak checker does not find the bytes that a thread still holds when the process ends.
    package struct Act: Sendable {
        fileprivate enum Kind: Sendable {
            case send, sendAndHangUp, silence, silenceAfterHandshake
        }

        fileprivate let kind: Kind
        fileprivate var bytes: [UInt8] = []

        /// Sends bytes and keeps serving.
        package static func send(_ bytes: [UInt8]) -> Act { Act(kind: .send, bytes: bytes) }
        /// Sends bytes and hangs up.
        package static func sendAndHangUp(_ bytes: [UInt8]) -> Act { Act(kind: .sendAndHangUp, bytes: bytes) }
        /// Accepts the connection and never says a word.
        package static let silence = Act(kind: .silence)
        /// Says nothing after the handshake, not even a heartbeat.
        package static let silenceAfterHandshake = Act(kind: .silenceAfterHandshake)
    }

    package let port: UInt16
    private let listener: Int32
    private let accepted = Atomic<Int>(0)
    /// The call that completes the set-up: basic.consume, confirm.select, or basic.cancel, which the act answers.
    private let lastCall: [UInt8]
    private let calls: Int
    private let acts: [Act]

    /// Starts the server.
    ///
    /// The acts are played one on each connection, the last on all later ones, once `lastCall` (class and method)
    /// has come `calls` times.
    package init(_ acts: [Act], after lastCall: [UInt8] = FakeBroker.basicConsume, calls: Int = 1) throws {
        self.acts = acts
        self.lastCall = lastCall
        self.calls = calls
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let bound = unsafe bind(descriptor, address, length)
                unsafe getsockname(descriptor, address, &length)
                return bound
            }
        }
        guard bound == 0, listen(listener, 16) == 0 else { throw FakeBrokerFailure(errno: errno) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                let number = accepted.add(1, ordering: .relaxed).oldValue
                Thread.detachNewThread { [self] in
                    serve(connection, acts[min(number, acts.count - 1)])
                    close(connection)
                }
            }
        }
    }

    /// Ends the listener.
    package func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    package var url: String { "amqp://127.0.0.1:\(port)" }

    /// How many connections there were.
    package var connections: Int { accepted.load(ordering: .relaxed) }

    package static let basicConsume: [UInt8] = [0, 60, 0, 20]
    package static let channelOpen: [UInt8] = [0, 20, 0, 10]
    package static let basicCancel: [UInt8] = [0, 60, 0, 30]
    package static let confirmSelect: [UInt8] = [0, 85, 0, 10]

    private func serve(_ connection: Int32, _ act: Act) {
        var input = Input(connection)
        guard input.read(8) == Array("AMQP".utf8) + [0, 0, 9, 1] else { return }
        if act.kind == .silence { return drain(&input) }
        send(connection, AMQPBytes.method(0, [0, 10, 0, 10], [0, 9] + AMQPBytes.long(0) + mechanisms))
        var seen = 0
        while let header = input.read(7), let payload = input.read(Int(AMQPBytes.number(header[3...6]))),
            input.read(1) != nil
        {
            guard header[0] == 1, payload.count >= 4 else { continue }
            let channel = UInt16(header[1]) << 8 | UInt16(header[2])
            let method = Array(payload.prefix(4))
            if let answer = answer(to: method, payload) {
                send(connection, AMQPBytes.method(channel, answer.method, answer.arguments))
            }
            if method == [0, 10, 0, 50] { return }
            if act.kind == .silenceAfterHandshake, method == [0, 10, 0, 40] { return drain(&input) }
            guard method == lastCall else { continue }
            seen += 1
            guard seen == calls else { continue }
            switch act.kind {
            case .send: send(connection, act.bytes)
            case .sendAndHangUp: return send(connection, act.bytes)
            case .silence, .silenceAfterHandshake: break
            }
        }
    }

    private let mechanisms = AMQPBytes.long(5) + Array("PLAIN".utf8) + AMQPBytes.long(5) + Array("en_US".utf8)

    private func answer(to method: [UInt8], _ payload: [UInt8]) -> (method: [UInt8], arguments: [UInt8])? {
        switch method {
        case [0, 10, 0, 11]: ([0, 10, 0, 30], [7, 255] + AMQPBytes.long(131_072) + [0, 1])  // tune, heartbeat 1 s
        case [0, 10, 0, 40]: ([0, 10, 0, 41], [0])  // connection.open
        case [0, 10, 0, 50]: ([0, 10, 0, 51], [])  // connection.close
        case [0, 20, 0, 10]: ([0, 20, 0, 11], AMQPBytes.long(0))  // channel.open
        case [0, 50, 0, 10]: ([0, 50, 0, 11], [1] + Array("q".utf8) + AMQPBytes.long(0) + AMQPBytes.long(0))
        case [0, 60, 0, 10]: ([0, 60, 0, 11], [])  // basic.qos
        case [0, 60, 0, 20]: ([0, 60, 0, 21], [1] + Array("t".utf8))  // basic.consume
        case [0, 85, 0, 10]: ([0, 85, 0, 11], [])  // confirm.select
        default: nil
        }
    }

    private func drain(_ input: inout Input) {
        while input.read(1) != nil {}
    }

    private func send(_ connection: Int32, _ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private struct Input {
        private let connection: Int32
        private var buffer: [UInt8] = []

        init(_ connection: Int32) {
            self.connection = connection
        }

        /// The next bytes; nil when the client has hung up.
        mutating func read(_ count: Int) -> [UInt8]? {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while buffer.count < count {
                let received = unsafe chunk.withUnsafeMutableBytes { bytes in
                    unsafe recv(connection, bytes.baseAddress, bytes.count, 0)
                }
                guard received > 0 else { return nil }
                buffer += chunk.prefix(received)
            }
            let result = Array(buffer.prefix(count))
            buffer.removeFirst(count)
            return result
        }
    }
}

/// There is no socket to listen on.
package struct FakeBrokerFailure: Error {
    /// The system's error number.
    package let errno: Int32
}
