// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import TokenClient

@Suite struct GenerationFilterTests {
    private func notice(_ lease: String, _ generation: Int64, _ kind: NoticeKind, plannedAt: UInt32 = 100) -> Notice {
        Notice(
            kind: kind, leaseID: lease, generation: generation, caller: .anonymous, appID: "x",
            scope: TokenScope(service: .rtc, channelName: "test", user: .uid(1)), expiresAt: 130, privileges: [],
            plannedAt: plannedAt, timeMilliseconds: 100_000)
    }

    private func admitted(_ filter: inout GenerationFilter, _ notices: [Notice]) -> [Bool] {
        notices.map { filter.admits($0) }
    }

    @Test func copiesAndOlderGenerationsAreLeftOut() {
        var filter = GenerationFilter()
        let first = notice("a", 1, .willExpire)
        let result = admitted(
            &filter,
            [
                first, first, notice("a", 1, .expired, plannedAt: 130), notice("a", 2, .willExpire, plannedAt: 200),
                notice("a", 1, .expired, plannedAt: 130), notice("b", 1, .willExpire),
            ])
        #expect(result == [true, false, true, true, false, true])
    }

    @Test func aTokenThatIsHeldSilencesItsPredecessors() {
        var filter = GenerationFilter()
        filter.holds(leaseID: "a", generation: 5)
        filter.holds(leaseID: "a", generation: 3)
        let result = admitted(&filter, [notice("a", 4, .expired), notice("a", 5, .willExpire)])
        #expect(result == [false, true])
    }

    @Test func memoryIsBounded() {
        var filter = GenerationFilter(capacity: 100)
        for number in 0..<1000 { _ = filter.admits(notice("\(number)", 7, .willExpire)) }
        let newest = admitted(&filter, [notice("999", 6, .expired), notice("900", 6, .expired)])
        #expect(newest == [false, false])
        // Forgotten, so heard once more rather than never.
        let oldest = filter.admits(notice("0", 6, .expired))
        #expect(oldest)
    }
}
