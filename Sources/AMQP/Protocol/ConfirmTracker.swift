// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Knows what was published on one channel and what has become of it, until it is settled.
///
/// The broker numbers publications from 1 in each life of a channel; so does the tracker.
struct ConfirmTracker {
    private struct Entry {
        let id: UInt64
        let key: ReturnKey?
        let publishedAt: UInt64
        var returned: (code: UInt16, text: String)?
        var isSettled = false
    }

    /// What a returned message is recognised by: `basic.return` carries no number.
    struct ReturnKey: Hashable {
        let exchange: String
        let routingKey: String
        let messageID: [UInt8]?
        let correlationID: [UInt8]?
    }

    /// Entries from ``oldest`` on; those before ``start`` are gone.
    private var entries: [Entry] = []
    private var start = 0
    private var oldest: UInt64 = 1
    private var nextReturn: UInt64 = 1
    private(set) var outstanding = 0

    /// Notes a publication that is about to be sent.
    ///
    /// - Parameters:
    ///   - id: the caller's number for it.
    ///   - key: what its return would be recognised by; nil when it is not mandatory.
    ///   - now: nanoseconds of the monotonic clock.
    mutating func published(id: UInt64, key: ReturnKey?, now: UInt64) {
        entries.append(Entry(id: id, key: key, publishedAt: now))
        outstanding += 1
    }

    /// Notes that a message came back; its confirm follows.
    ///
    /// Returns come in the order of publication: the search begins after the latest one.
    mutating func returned(_ method: ReturnMethod, _ properties: MessageProperties) {
        let key = ReturnKey(
            exchange: method.exchange, routingKey: method.routingKey, messageID: properties.messageIDBytes,
            correlationID: properties.correlationID)
        let first = start + Int(max(nextReturn, oldest) - oldest)
        for ranges in [first..<entries.count, start..<min(first, entries.count)] {
            for index in ranges where isReturnable(entries[index], key) {
                entries[index].returned = (method.code, method.text)
                nextReturn = oldest + UInt64(index - start) + 1
                return
            }
        }
    }

    private func isReturnable(_ entry: Entry, _ key: ReturnKey) -> Bool {
        !entry.isSettled && entry.returned == nil && entry.key == key
    }

    /// Takes a confirm.
    ///
    /// Unknown numbers and those settled already change nothing.
    ///
    /// - Parameters:
    ///   - confirm: the broker's word.
    ///   - outcomes: what it settles is added here, in order of publication.
    mutating func confirmed(_ confirm: Confirm, into outcomes: inout [PublishOutcome]) {
        guard confirm.number >= oldest else { return }
        let distance = confirm.number - oldest
        guard distance < UInt64(entries.count - start) else { return }
        let last = start + Int(distance)
        for index in (confirm.isMultiple ? start : last)...last where !entries[index].isSettled {
            let result: PublishOutcome.Result =
                if !confirm.isPositive {
                    .nacked
                } else if let returned = entries[index].returned {
                    .returned(code: returned.code, text: returned.text)
                } else {
                    .confirmed
                }
            settle(index, result, into: &outcomes)
        }
        dropSettled()
    }

    /// Gives up what was published before a time.
    ///
    /// - Parameters:
    ///   - time: nanoseconds of the monotonic clock.
    ///   - error: why.
    ///   - outcomes: what is given up is added here.
    mutating func expire(publishedBefore time: UInt64, _ error: AMQPError, into outcomes: inout [PublishOutcome]) {
        guard start < entries.count, entries[start].publishedAt < time else { return }
        for index in start..<entries.count {
            guard entries[index].publishedAt < time else { break }
            if !entries[index].isSettled { settle(index, .lost(error), into: &outcomes) }
        }
        dropSettled()
    }

    /// Gives up everything, and begins the next life of the channel.
    ///
    /// - Parameters:
    ///   - error: why.
    ///   - outcomes: what is given up is added here.
    mutating func lose(_ error: AMQPError, into outcomes: inout [PublishOutcome]) {
        for index in start..<entries.count where !entries[index].isSettled {
            settle(index, .lost(error), into: &outcomes)
        }
        self = ConfirmTracker()
    }

    private mutating func settle(
        _ index: Int, _ result: PublishOutcome.Result, into outcomes: inout [PublishOutcome]
    ) {
        entries[index].isSettled = true
        outstanding -= 1
        outcomes.append(PublishOutcome(id: entries[index].id, result: result))
    }

    private mutating func dropSettled() {
        while start < entries.count, entries[start].isSettled {
            start += 1
            oldest += 1
        }
        if start == entries.count {
            entries.removeAll(keepingCapacity: entries.capacity <= 4096)
            start = 0
        } else if start >= 1024, start * 2 >= entries.count {
            entries.removeFirst(start)
            start = 0
        }
    }
}
