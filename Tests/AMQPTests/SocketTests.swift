// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CLinux
import Glibc
import TestSupport
import Testing

@testable import AMQP

/// What a connection asks of TCP.
@Suite(.timeLimit(.minutes(1))) struct SocketTests {
    @Test("L21: a peer that is silently gone is noticed by TCP itself, within the stall limit")
    func setsPatience() async throws {
        var configuration = try quickConfiguration(try await SharedBroker.address.url)
        configuration.heartbeat = 4
        let session = try BrokerSession.open(configuration.endpoints[0], configuration, stallGuard: StallGuard())
        let socket = session.descriptor
        #expect(option(socket, TCP_USER_TIMEOUT) == 8000)
        #expect(option(socket, TCP_KEEPIDLE) == 4)
        #expect(option(socket, TCP_KEEPINTVL) == 5)
        #expect(option(socket, TCP_KEEPCNT) == 3)
        #expect(option(socket, TCP_NODELAY) == 1)
        #expect(option(socket, SO_KEEPALIVE, level: SOL_SOCKET) == 1)
    }

    private func option(_ socket: Int32, _ name: Int32, level: Int32 = Int32(IPPROTO_TCP)) -> Int32 {
        var value: Int32 = -1
        var length = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe getsockopt(socket, level, name, &value, &length)
        return value
    }
}
