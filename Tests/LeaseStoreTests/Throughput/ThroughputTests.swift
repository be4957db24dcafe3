// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing
import TokenMessages

@testable import LeaseStore

/// Figures, and bars far below them: what they catch is a store that got slower by a multiple.
@Suite("A million leases", .serialized, .enabled(if: ProcessInfo.processInfo.environment["AGORA_TEST_LONG"] != nil))
struct ThroughputTests {
    private static let total = 1_000_000
    private static let batch = 250

    @Test(.timeLimit(.minutes(10)), arguments: StoreKind.allCases)
    func leasesPerSecond(_ kind: StoreKind) throws {
        let bench = try StoreBench(kind)
        let store = try bench.open()
        var next = 0
        func commitBatches(_ count: Int) throws -> Duration {
            try ContinuousClock().measure {
                for _ in 0..<count {
                    let orders = (next..<next + Self.batch).map(order)
                    next += Self.batch
                    _ = try store.commit(orders)
                    bench.clock.advance(seconds: 0.01)
                }
            }
        }
        let total = ProcessInfo.processInfo.environment["AGORA_TEST_LEASES"].flatMap(Int.init) ?? Self.total
        let filling = try commitBatches(total / Self.batch)
        let memory = residentMegabytes()
        print("\(kind): \(rate(total, filling))/s while filling; \(memory) MB resident")
        for round in 1...5 {
            let duration = try commitBatches(200)
            print("\(kind): round \(round): \(rate(200 * Self.batch, duration))/s with \(next - 200 * Self.batch) rows")
            #expect(duration < .seconds(25))
        }
        let opening = try ContinuousClock().measure {
            let again = try bench.database.open()
            _ = try again.claim(limit: 500, visibility: 10, lane: .fresh)
        }
        print("\(kind): open and first claim in \(opening)")
        #expect(opening < .milliseconds(500))
        #expect(residentMegabytes() < memory + 10)

        // Everything is due: claim and mark.
        bench.clock.advance(seconds: 7200)
        var marked = 0
        let marking = try ContinuousClock().measure {
            for _ in 0..<100 {
                let claim = try store.claim(limit: 500, visibility: 10, lane: .backlog)
                marked += try store.complete(
                    claim.leases.map { StepMark($0, published: $0.lease.schedule.steps.count - 1) })
            }
        }
        #expect(marked == 50_000)
        print("\(kind): \(rate(marked, marking)) claims and marks/s")
    }

    private func order(_ number: Int) -> LeaseOperation {
        let orders = Orders(caller: Caller(text: "u-backend"))
        let grant = orders.grant(uid: UInt32(number + 1), channel: "room-\(number % 5000)")
        return orders.issue("message-\(number)", grant, salt: UInt32(number + 1))
    }

    private func rate(_ count: Int, _ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(Double(count) / (Double(seconds) + Double(attoseconds) / 1e18))
    }

    private func residentMegabytes() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1024
    }
}
