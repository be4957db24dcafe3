// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import agora_token

@Suite struct LoadLedgerTests {
    @Test func whatComesDuringTheWarmUpDoesNotCount() {
        var ledger = LoadLedger()
        let numbers = ledger.send(2, at: 1_000_000)
        let first = ledger.answered(1, error: nil, at: 2_000_000)
        ledger.beginMeasuring()
        let second = ledger.answered(2, error: "internal", at: 8_000_000)
        #expect(numbers == 1..<3 && first && second)
        #expect(ledger.counts.answered == 1 && ledger.counts.errors == ["internal": 1])
        #expect(ledger.counts.latency.maximum == 7000 && ledger.outstanding == 0)
    }

    @Test func aReplyCountsOnce() {
        var ledger = LoadLedger()
        _ = ledger.send(1, at: 0)
        ledger.beginMeasuring()
        let answers = [1, 1, 7].map { ledger.answered($0, error: nil, at: 1000) }
        #expect(answers == [true, false, false])
        #expect(ledger.counts.answered == 1)
    }

    @Test func whatTheBrokerRefusesIsNotOnItsWayAnyMore() {
        var ledger = LoadLedger()
        _ = ledger.send(3, at: 0)
        ledger.beginMeasuring()
        let refusals = [2, 2].map { ledger.refused($0) }
        #expect(refusals == [true, false])
        #expect(ledger.counts.refused == 1 && ledger.outstanding == 2 && ledger.counts.answered == 0)
    }

    @Test func atTheEndNothingIsSentOrCountedAndRepliesStillTakeTheirRequestsOff() {
        var ledger = LoadLedger()
        _ = ledger.send(2, at: 0)
        ledger.beginMeasuring()
        ledger.end()
        let sent = ledger.send(1, at: 0)
        let isKnown = ledger.answered(1, error: nil, at: 1000)
        #expect(sent.isEmpty && isKnown)
        #expect(ledger.counts.answered == 0 && ledger.outstanding == 1)
    }

    @Test func theFirstFaultStaysAndStopsTheLoad() {
        var ledger = LoadLedger()
        ledger.fail("first")
        ledger.fail("second")
        let sent = ledger.send(1, at: 0)
        #expect(ledger.fault == "first" && sent.isEmpty)
    }
}
