// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import Testing

@testable import TokenWorker

/// Datagrams to a socket that is really there.
@Suite struct NotifySocketTests {
    /// The other end, bound to a path or, after `@`, to an abstract name.
    private final class Receiver {
        let descriptor: Int32

        init(_ address: String) throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array((address.hasPrefix("@") ? "\0" + address.dropFirst() : address).utf8)
            unsafe withUnsafeMutableBytes(of: &name.sun_path) { path in unsafe path.copyBytes(from: bytes) }
            let length = socklen_t(2 + bytes.count)
            let status = unsafe withUnsafePointer(to: &name) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
            }
            try #require(status == 0)
        }

        deinit { close(descriptor) }

        /// The next datagram; `nil` when there is none.
        func next() -> String? {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            return count >= 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
        }
    }

    private static let path = FileManager.default.temporaryDirectory.appending(path: "notify-\(UUID().uuidString)").path

    @Test(arguments: [path, "@agora-token-\(UUID().uuidString)"])
    func arrives(_ address: String) throws {
        let receiver = try Receiver(address)
        defer { unsafe unlink(address) }
        let socket = try #require(NotifySocket(["NOTIFY_SOCKET": address]))
        #expect(socket.send("READY=1\nSTATUS=gut, ähnlich"))
        #expect(socket.send("WATCHDOG=1"))
        #expect(receiver.next() == "READY=1\nSTATUS=gut, ähnlich")
        #expect(receiver.next() == "WATCHDOG=1")
        #expect(receiver.next() == nil)
    }

    @Test func nobodyThere() throws {
        #expect(try #require(NotifySocket(["NOTIFY_SOCKET": "/nowhere/at/all"])).send("READY=1") == false)
        let long = "/" + String(repeating: "x", count: 200)
        #expect(try #require(NotifySocket(["NOTIFY_SOCKET": long])).send("READY=1") == false)
    }

    @Test(arguments: [[:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "vsock:2:9999"]] as [[String: String]])
    func noSocket(_ environment: [String: String]) { #expect(NotifySocket(environment) == nil) }

    @Test func whatDoesNotReadHoldsNobodyUp() throws {
        let address = "@agora-token-\(UUID().uuidString)"
        let receiver = try Receiver(address)
        let socket = try #require(NotifySocket(["NOTIFY_SOCKET": address]))
        var taken = 0
        while taken < 100_000, socket.send("WATCHDOG=1") { taken += 1 }
        #expect(taken < 100_000)
        #expect(receiver.next() == "WATCHDOG=1")
    }
}
