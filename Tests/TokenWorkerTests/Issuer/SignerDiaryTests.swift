// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import Testing

@testable import TokenWorker

@Suite struct SignerDiaryTests {
    private let start = ContinuousClock.now
    private let first = [Signer(worker: "w", appID: "a", certificate: "1")]
    private let second = [Signer(worker: "w", appID: "a", certificate: "2")]

    private func after(_ seconds: Int) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test func isWrittenAtOnceThenNowAndThen() {
        var diary = SignerDiary()
        #expect(diary.entry(first, at: start) == first)
        diary.note(first, wasWritten: true, at: start)
        #expect(diary.entry(first, at: after(29)) == nil)
        #expect(diary.entry(first, at: after(30)) == first)
    }

    /// The moment of a change is the last one of the old certificate.
    @Test func aChangeIsWrittenAtOnceWithWhatWasBefore() {
        var diary = SignerDiary()
        diary.note(first, wasWritten: true, at: start)
        #expect(diary.entry(second, at: after(1)) == second + first)
        diary.note(second, wasWritten: true, at: after(1))
        #expect(diary.entry(second, at: after(2)) == nil)
        #expect(diary.entry(second, at: after(31)) == second)
    }

    @Test func whatCouldNotBeWrittenIsTriedLaterAndNotLost() {
        var diary = SignerDiary()
        diary.note(first, wasWritten: true, at: start)
        diary.note(second, wasWritten: false, at: after(1))
        #expect(diary.entry(second, at: after(2)) == nil)
        #expect(diary.entry(second, at: after(31)) == second + first)
    }
}
