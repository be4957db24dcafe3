// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform
import Testing

@Suite(.timeLimit(.minutes(1))) struct PollEventsTests {
    @Test func aPipeHasRoomUntilItIsFull() throws {
        let pipe = try Pipe()
        #expect(PollEvents.wait(for: .writable, of: pipe.writer, atMost: .seconds(30)) == .writable)
        #expect(PollEvents.wait(for: .readable, of: pipe.reader, atMost: .zero) == [])
        while pipe.write(4096) > 0 {}
        #expect(PollEvents.wait(for: .writable, of: pipe.writer, atMost: .milliseconds(5)) == [])
        #expect(PollEvents.wait(for: .readable, of: pipe.reader, atMost: nil) == .readable)
    }

    @Test func anErrorIsNoRoom() throws {
        let pipe = try Pipe()
        while pipe.write(4096) > 0 {}
        pipe.closeReader()
        let events = PollEvents.wait(for: .writable, of: pipe.writer, atMost: .seconds(30))
        #expect(!events.isEmpty && !events.contains(.writable))
    }

    @Test func timeEndsIt() throws {
        let start = ContinuousClock.now
        let pipe = try Pipe()
        #expect(PollEvents.wait(for: .readable, of: pipe.reader, atMost: .milliseconds(20)) == [])
        #expect(ContinuousClock.now - start >= .milliseconds(20))
    }
}
