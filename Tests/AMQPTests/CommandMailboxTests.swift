// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform
import Testing

@testable import AMQP

@Suite struct CommandMailboxTests {
    @Test func onlyAnOwnerThatSleepsIsWoken() {
        let mailbox = CommandMailbox<Int>()
        #expect(mailbox.post(1))
        #expect(!mailbox.wakeUp.sleep(atMost: .zero))
        // There is something to take first.
        #expect(!mailbox.willSleep())
        #expect(mailbox.take() == [1])
        #expect(mailbox.willSleep())
        #expect(mailbox.post(2))
        #expect(mailbox.wakeUp.sleep(atMost: .zero))
        #expect(mailbox.post(3))
        mailbox.didWake(wasSignalled: true)
        #expect(!mailbox.wakeUp.sleep(atMost: .zero))
        #expect(mailbox.take() == [2, 3])
    }

    @Test func whatComesTooLateIsRefused() {
        let mailbox = CommandMailbox<Int>()
        #expect(mailbox.post(1))
        #expect(mailbox.shut() == [1])
        #expect(!mailbox.post(2))
        #expect(mailbox.take().isEmpty)
    }
}
