// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(1))) struct MailboxTests {
    @Test func nothingComesOutEmptyAtTheDeadline() {
        let mailbox = Mailbox<[Int]>(empty: [])
        let start = ContinuousClock.now
        #expect(mailbox.take(until: start.advanced(by: .milliseconds(20))).isEmpty)
        #expect(ContinuousClock.now - start >= .milliseconds(20))
    }

    @Test func aSleepingReaderGetsEverythingInOrder() {
        let mailbox = Mailbox<[Int]>(empty: [])
        let writers = (0..<2).map { half in
            PlainThread {
                for number in 0..<10_000 { mailbox.put { $0.append(half * 10_000 + number) } }
            }
        }
        var received: [Int] = []
        while received.count < 20_000 { received += mailbox.take(until: nil) }
        for writer in writers { writer.join() }
        #expect(received.filter { $0 < 10_000 } == Array(0..<10_000))
        #expect(received.filter { $0 >= 10_000 } == Array(10_000..<20_000))
    }

    @Test func onlyAReaderThatSleepsIsWoken() {
        let mailbox = Mailbox<[Int]>(empty: [])
        mailbox.put { $0.append(1) }
        #expect(!mailbox.wakeUp.sleep(atMost: .zero))
        #expect(mailbox.take(until: .now) == [1])
        // From here on the reader has found nothing, and is about to sleep.
        #expect(mailbox.take(until: .now) == [])
        mailbox.put { $0.append(2) }
        #expect(mailbox.wakeUp.sleep(atMost: .zero))
        mailbox.wakeUp.clear()
        mailbox.put { $0.append(3) }
        #expect(!mailbox.wakeUp.sleep(atMost: .zero))
        #expect(mailbox.take(until: .now) == [2, 3])
    }
}
