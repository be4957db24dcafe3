// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AMQP

/// Names are resolved within a time limit, on a thread of their own.
@Suite(.timeLimit(.minutes(1))) struct NameLookupTests {
    @Test("L20: a resolver that hangs costs the time limit and one thread, and its answer counts when it comes")
    func boundsTheResolver() throws {
        let host = "hangs-\(UInt32.random(in: 0...UInt32.max)).test"
        let answers = DispatchSemaphore(value: 0)
        let asked = Box()
        let resolve: @Sendable (String) -> [String] = { _ in
            asked.count.add(1, ordering: .relaxed)
            answers.wait()
            return ["192.0.2.1", "192.0.2.2"]
        }
        for _ in 0..<3 {
            let start = ContinuousClock.now
            let error = #expect(throws: AMQPError.self) {
                try NameLookup.addresses(of: host, within: .milliseconds(200), resolve: resolve)
            }
            #expect(error?.code == .timedOut)
            #expect(start.duration(to: .now) < .seconds(5))
        }
        let aborted = #expect(throws: AMQPError.self) {
            try NameLookup.addresses(of: host, within: .seconds(60), isAborted: { true }, resolve: resolve)
        }
        #expect(aborted?.code == .closed)
        // The answer comes while the lookup waits for it, which is when it asks whether it is to give up: one that came
        // before would be nobody's, and the next lookup would ask again.
        let addresses = try NameLookup.addresses(
            of: host, within: .seconds(10),
            isAborted: {
                answers.signal()
                return false
            }, resolve: resolve)
        #expect(addresses == ["192.0.2.1", "192.0.2.2"])
        #expect(asked.count.load(ordering: .relaxed) == 1, "one thread waits for all")
    }

    private final class Box: Sendable {
        let count = Atomic<Int>(0)
    }

    @Test("L20: an address is its own, and the resolver is not asked", arguments: ["127.0.0.1", "::1", "2001:db8::1"])
    func passesAddresses(_ address: String) throws {
        let ask: @Sendable (String) -> [String] = { _ in
            Issue.record("asked")
            return []
        }
        let addresses = try NameLookup.addresses(of: address, within: .zero, resolve: ask)
        #expect(addresses == [address])
    }

    @Test func tellsUnknownNames() throws {
        let error = #expect(throws: AMQPError.self) {
            try NameLookup.addresses(of: "unknown.test", within: .seconds(10), resolve: { _ in [] })
        }
        #expect(error?.code == .unreachable)
        #expect(try NameLookup.addresses(of: "localhost", within: .seconds(10)).contains("127.0.0.1"))
    }
}
