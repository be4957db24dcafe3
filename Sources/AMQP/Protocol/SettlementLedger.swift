// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Knows which deliveries of one channel's life are unsettled, so that each is settled once, in as few messages as
/// possible: whatever is contiguous from the oldest goes out as one multiple acknowledgement.
struct SettlementLedger {
    /// An acknowledgement to send.
    struct Acknowledgement: Hashable {
        let number: UInt64
        let isMultiple: Bool
    }

    private enum Entry: UInt8 {
        case unsettled, acknowledged, settled
    }

    /// Entries from ``oldest`` on; those before ``start`` are gone.
    private var entries: [Entry] = []
    private var start = 0
    private var oldest: UInt64 = 1
    private var acknowledged: [UInt64] = []

    /// How many deliveries there are from the oldest unsettled one on.
    var outstanding: Int { entries.count - start }

    /// Notes a delivery.
    ///
    /// - Throws: ``AMQPError/Code/protocolViolation`` when the broker did not count on by one.
    mutating func delivered(_ number: UInt64) throws(AMQPError) {
        guard number == oldest + UInt64(entries.count - start) else {
            throw AMQPError(.protocolViolation, "the broker numbered a delivery out of order")
        }
        entries.append(.unsettled)
    }

    /// Notes that a delivery is done.
    ///
    /// Changes nothing when it is unknown or settled already.
    mutating func acknowledge(_ number: UInt64) {
        guard let index = unsettledIndex(number) else { return }
        entries[index] = .acknowledged
        acknowledged.append(number)
    }

    /// Notes that a delivery is being refused.
    ///
    /// - Returns: whether the refusal is to be sent; false when it is unknown or settled already.
    mutating func reject(_ number: UInt64) -> Bool {
        guard let index = unsettledIndex(number) else { return false }
        entries[index] = .settled
        return true
    }

    private func unsettledIndex(_ number: UInt64) -> Int? {
        guard number >= oldest, number - oldest < UInt64(entries.count - start) else { return nil }
        let index = start + Int(number - oldest)
        return entries[index] == .unsettled ? index : nil
    }

    /// The acknowledgements to send for what was noted since the last call.
    mutating func takeAcknowledgements() -> [Acknowledgement] {
        guard !acknowledged.isEmpty else { return [] }
        var upTo: UInt64 = 0
        var covered = 0
        while start < entries.count, entries[start] != .unsettled {
            if entries[start] == .acknowledged {
                upTo = oldest
                covered += 1
            }
            start += 1
            oldest += 1
        }
        var messages: [Acknowledgement] = []
        if covered > 0 { messages.append(Acknowledgement(number: upTo, isMultiple: covered > 1)) }
        if covered < acknowledged.count {
            for number in acknowledged.sorted() where number >= oldest {
                entries[start + Int(number - oldest)] = .settled
                messages.append(Acknowledgement(number: number, isMultiple: false))
            }
        }
        acknowledged.removeAll(keepingCapacity: true)
        compact()
        return messages
    }

    private mutating func compact() {
        if start == entries.count {
            entries.removeAll(keepingCapacity: entries.capacity <= 4096)
            start = 0
        } else if start >= 1024, start * 2 >= entries.count {
            entries.removeFirst(start)
            start = 0
        }
    }
}
