// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing

@testable import agora_token

@Suite struct LoadReportTests {
    private func report(errors: [String: Int] = [:], lost: Int = 0) -> LoadReport {
        var counts = LoadLedger.Counts()
        counts.answered = 1000
        counts.errors = errors
        for value in 1...1000 { counts.latency.add(UInt64(value * 1000)) }
        return LoadReport(window: 50, seconds: 2, counts: counts, lost: lost, worker: (19_900, 21_000_000))
    }

    @Test func peopleReadRatesAndShares() {
        let text = report(errors: ["internal": 2, "policy_denied": 1], lost: 3).text
        #expect(text.contains("500 requests per second"))
        #expect(text.contains("19.9 µs") && text.contains("0.01 processors") && text.contains("21.0 MB"))
        #expect(text.contains("lost 3") && text.contains("2 × internal, 1 × policy_denied"))
        #expect(text.contains("max 1000.00 ms"))
    }

    @Test func machinesReadTheSame() throws {
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(report(errors: ["internal": 2]).json.utf8)) as? [String: Any])
        #expect(object["requestsPerSecond"] as? Int == 500)
        #expect((object["errors"] as? [String: Int]) == ["internal": 2])
        #expect((object["worker"] as? [String: Int])?["cpuNanosecondsPerRequest"] == 19_900)
        #expect((object["latencyMicroseconds"] as? [String: Int])?["max"] == 1_000_000)
    }

    @Test func nothingAnsweredDividesByNothing() {
        let empty = LoadReport(window: 1, seconds: 0, counts: .init(), lost: 1, worker: (5, 5))
        #expect(empty.text.contains("0 requests per second") && !empty.isClean)
        #expect(empty.json.contains("\"lost\":1"))
    }

    @Test func anyFaultIsNotClean() {
        #expect(report().isClean)
        #expect(!report(lost: 1).isClean)
        #expect(!report(errors: ["": 1]).isClean)
    }
}
