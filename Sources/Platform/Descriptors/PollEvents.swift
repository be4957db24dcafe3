// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// What a file descriptor is ready for.
package struct PollEvents: OptionSet, Sendable {
    package let rawValue: Int16

    package init(rawValue: Int16) { self.rawValue = rawValue }

    /// There is something to read, or its end.
    package static var readable: PollEvents { PollEvents(rawValue: Int16(POLLIN)) }
    /// There is room to write.
    package static var writable: PollEvents { PollEvents(rawValue: Int16(POLLOUT)) }

    /// Waits for a descriptor to become ready, by one call of the system, which a signal may end early.
    ///
    /// The corresponding C function is `poll`.
    ///
    /// - Parameters:
    ///   - wanted: what is waited for.
    ///   - descriptor: an open file.
    ///   - limit: the longest time to wait, in whole milliseconds rounded up; `nil` for no limit.
    /// - Returns: what it is ready for, besides the system's marks for errors; empty when the time is over.
    @discardableResult
    package static func wait(
        for wanted: PollEvents, of descriptor: Int32, atMost limit: Duration?
    ) -> PollEvents {
        var entry = pollfd(fd: descriptor, events: wanted.rawValue, revents: 0)
        _ = unsafe poll(&entry, 1, limit?.pollMilliseconds ?? -1)
        return PollEvents(rawValue: entry.revents)
    }

    /// The same for two descriptors; one that is negative is passed over.
    static func wait(
        for wanted: PollEvents, of first: Int32, _ second: Int32, atMost limit: Duration
    ) -> (first: PollEvents, second: PollEvents) {
        var both: [2 of pollfd] = [
            pollfd(fd: first, events: wanted.rawValue, revents: 0),
            pollfd(fd: second, events: wanted.rawValue, revents: 0),
        ]
        var span = both.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer { entries in
            _ = unsafe poll(entries.baseAddress, 2, limit.pollMilliseconds)
        }
        return (PollEvents(rawValue: both[0].revents), PollEvents(rawValue: both[1].revents))
    }
}
