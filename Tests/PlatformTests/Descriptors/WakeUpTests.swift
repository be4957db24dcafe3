// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform
import Testing

@Suite(.timeLimit(.minutes(1))) struct WakeUpTests {
    @Test func aSignalStaysUntilItIsForgotten() {
        let wakeUp = WakeUp()
        #expect(!wakeUp.wait(atMost: .zero))
        wakeUp.signal()
        wakeUp.signal()
        #expect(wakeUp.wait(atMost: .zero))
        #expect(wakeUp.wait(atMost: .seconds(30)))
        wakeUp.clear()
        #expect(!wakeUp.wait(atMost: .zero))
    }

    @Test func waitingEndsAtTheLimit() {
        let start = ContinuousClock.now
        #expect(!WakeUp().wait(atMost: .milliseconds(20)))
        #expect(ContinuousClock.now - start >= .milliseconds(20))
    }

    @Test func aSleeperIsWokenByAnotherThread() {
        let wakeUp = WakeUp()
        PlainThread { wakeUp.signal() }
        #expect(wakeUp.wait(atMost: .seconds(30)))
    }

    @Test func aDescriptorIsWatchedBeside() throws {
        let wakeUp = WakeUp()
        let pipe = try Pipe()
        #expect(wakeUp.sleep(beside: pipe.reader, atMost: .zero) == (false, false))
        #expect(pipe.write(1) == 1)
        #expect(wakeUp.sleep(beside: pipe.reader, atMost: .seconds(30)) == (true, false))
        wakeUp.signal()
        #expect(wakeUp.sleep(beside: pipe.reader, atMost: .seconds(30)) == (true, true))
        #expect(wakeUp.sleep(beside: -1, atMost: .seconds(30)) == (false, true))
    }
}
