// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import TokenWorker

@Suite struct MailboxTests {
    @Test func nothingComesOutEmptyAtTheDeadline() {
        let mailbox = Mailbox<[Int]>(empty: [])
        let start = ContinuousClock.now
        #expect(mailbox.take(until: start.advanced(by: .milliseconds(20))).isEmpty)
        #expect(ContinuousClock.now - start >= .milliseconds(20))
    }

    @Test(.timeLimit(.minutes(1))) func aSleepingReaderGetsEverythingInOrder() {
        let mailbox = Mailbox<[Int]>(empty: [])
        let writers = (0..<2).map { half in
            WorkerThread {
                for number in 0..<10_000 { mailbox.put { $0.append(half * 10_000 + number) } }
            }
        }
        var received: [Int] = []
        while received.count < 20_000 { received += mailbox.take(until: nil) }
        for writer in writers { writer.join() }
        #expect(received.filter { $0 < 10_000 } == Array(0..<10_000))
        #expect(received.filter { $0 >= 10_000 } == Array(10_000..<20_000))
    }
}
