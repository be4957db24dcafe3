// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import FakeBroker
import Testing
import TokenMessages

@testable import TokenWorker

@Suite struct MissingTopologyTests {
    /// Nothing is known of the topology then, least of all that `topology apply` would help.
    @Test func aConnectionThatGoesIsNoMissingQueue() throws {
        let broker = try FakeBroker([.sendAndHangUp([])], after: FakeBroker.channelOpen)
        defer { broker.stop() }
        let topology = try Topology(
            ConnectionConfiguration(endpoints: [try AMQPURL(parsing: broker.url)], connectionName: "test"))
        let error = #expect(throws: AMQPError.self) { try TopologyPlan(.standard).missing(from: topology) }
        #expect(error?.code == .disconnected)
    }
}
