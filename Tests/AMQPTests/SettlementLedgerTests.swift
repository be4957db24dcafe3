// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import FakeBroker
import Testing

@testable import AMQP

@Suite struct SettlementLedgerTests {
    private func ledger(delivered count: UInt64) throws -> SettlementLedger {
        var ledger = SettlementLedger()
        for number in 1...count { try ledger.delivered(number) }
        return ledger
    }

    private func single(_ number: UInt64) -> SettlementLedger.Acknowledgement {
        SettlementLedger.Acknowledgement(number: number, isMultiple: false)
    }

    private func multiple(_ number: UInt64) -> SettlementLedger.Acknowledgement {
        SettlementLedger.Acknowledgement(number: number, isMultiple: true)
    }

    @Test func whatIsContiguousGoesOutAsOne() throws {
        var ledger = try ledger(delivered: 5)
        for number: UInt64 in [3, 1, 2] { ledger.acknowledge(number) }
        #expect(ledger.takeAcknowledgements() == [multiple(3)])
        ledger.acknowledge(4)
        #expect(ledger.takeAcknowledgements() == [single(4)])
        #expect(ledger.takeAcknowledgements() == [])
    }

    @Test func countsFromTheOldestUnsettledOneOn() throws {
        var ledger = try ledger(delivered: 5)
        #expect(ledger.outstanding == 5)
        for number: UInt64 in [1, 2, 5] { ledger.acknowledge(number) }
        _ = ledger.takeAcknowledgements()
        #expect(ledger.outstanding == 3)
        for number: UInt64 in [3, 4] { ledger.acknowledge(number) }
        _ = ledger.takeAcknowledgements()
        #expect(ledger.outstanding == 0)
    }

    @Test("A gap is never acknowledged along with what is behind it")
    func respectsGaps() throws {
        var ledger = try ledger(delivered: 6)
        for number: UInt64 in [6, 1, 2, 4] { ledger.acknowledge(number) }
        #expect(ledger.takeAcknowledgements() == [multiple(2), single(4), single(6)])
        ledger.acknowledge(3)
        #expect(ledger.takeAcknowledgements() == [single(3)])
        ledger.acknowledge(5)
        #expect(ledger.takeAcknowledgements() == [single(5)])
    }

    @Test("Report22: a delivery is settled once, whatever its owner says twice")
    func settlesOnce() throws {
        var ledger = try ledger(delivered: 3)
        ledger.acknowledge(2)
        ledger.acknowledge(2)
        let acknowledged = ledger.reject(2)
        #expect(!acknowledged)
        #expect(ledger.takeAcknowledgements() == [single(2)])
        ledger.acknowledge(2)
        #expect(ledger.takeAcknowledgements() == [])
        let rejected = [ledger.reject(1), ledger.reject(1)]
        #expect(rejected == [true, false])
        ledger.acknowledge(1)
        #expect(ledger.takeAcknowledgements() == [])
    }

    @Test("Report34: number 0, which would mean everything, and unknown numbers are never sent")
    func neverSendsZero() throws {
        var ledger = try ledger(delivered: 2)
        for number: UInt64 in [0, 3, .max] {
            ledger.acknowledge(number)
            let rejected = ledger.reject(number)
            #expect(!rejected)
        }
        #expect(ledger.takeAcknowledgements() == [])
    }

    @Test func refusedOnesDoNotHoldOthersUp() throws {
        var ledger = try ledger(delivered: 4)
        _ = ledger.reject(1)
        ledger.acknowledge(2)
        ledger.acknowledge(3)
        #expect(ledger.takeAcknowledgements() == [multiple(3)])
    }

    @Test("A broker that does not count on by one is not believed", arguments: [0, 1, 3, UInt64.max])
    func refusesOtherNumbers(_ number: UInt64) throws {
        var ledger = try ledger(delivered: 1)
        let error = #expect(throws: AMQPError.self) { try ledger.delivered(number) }
        #expect(error?.code == .protocolViolation)
    }

    @Test("A long run against a model of the broker: exactly what was acknowledged is, once")
    func agreesWithAModel() throws {
        var generator = SeededGenerator(seed: 9)
        var ledger = SettlementLedger()
        var unsettled: Set<UInt64> = []
        var ours: [UInt64] = []
        var requested: Set<UInt64> = []
        var number: UInt64 = 0
        for _ in 0..<3000 {
            for _ in 0..<Int.random(in: 0...5, using: &generator) {
                number += 1
                try ledger.delivered(number)
                unsettled.insert(number)
                ours.append(number)
            }
            ours.shuffle(using: &generator)
            for _ in 0..<min(ours.count, Int.random(in: 0...5, using: &generator)) {
                let chosen = ours.removeLast()
                requested.insert(chosen)
                ledger.acknowledge(chosen)
            }
            for message in ledger.takeAcknowledgements() {
                let settled: Set<UInt64> =
                    message.isMultiple ? unsettled.filter { $0 <= message.number } : [message.number]
                #expect(settled.isSubset(of: unsettled), "acknowledged twice")
                unsettled.subtract(settled)
                requested.subtract(settled)
            }
            #expect(requested.isEmpty, "acknowledged too late")
            #expect(unsettled == Set(ours), "acknowledged unasked")
        }
    }
}
