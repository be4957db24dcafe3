// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How a message is known again.
package struct RequestKey: Sendable, Hashable {
    /// The key under which a lease remembers the message.
    package let key: Key
    /// Whether the message had no `message_id`, so that an equal one counts as a repeat only if it is redelivered.
    package let isUnnamed: Bool

    /// Derives the key from the message.
    ///
    /// - Parameters:
    ///   - properties: the properties of the message.
    ///   - body: the body.
    package init(_ properties: borrowing RequestProperties, body: borrowing [UInt8]) {
        let named = properties.messageID.map { !$0.isEmpty } ?? false
        var parts = KeyParts(named ? .request : .unnamedRequest)
        parts.append(properties.caller.text)
        parts.append(properties.kind.rawValue)
        if named {
            parts.append(properties.messageID ?? [])
        } else {
            parts.append(properties.replyTo ?? "")
            parts.append(properties.correlationID ?? [])
            parts.append(body)
        }
        // A message is the first of its items.
        parts.append(UInt32(0))
        key = parts.key
        isUnnamed = !named
    }

    /// The key of one item of a batch; the first has that of the message, so that a message that comes once alone and
    /// once in a list is known again.
    package func item(_ position: Int) -> RequestKey {
        guard position > 0 else { return self }
        var parts = KeyParts(.item)
        parts.append(key)
        parts.append(UInt32(truncatingIfNeeded: position))
        return RequestKey(key: parts.key, isUnnamed: isUnnamed)
    }

    /// Takes a key and how it was made.
    package init(key: Key, isUnnamed: Bool) {
        self.key = key
        self.isUnnamed = isUnnamed
    }

    /// The `message_id` of the reply: the same for a repeat that gets the same answer.
    ///
    /// - Parameter generation: the generation of the token in the reply, nil for other replies.
    /// - Returns: `r-` and 32 hexadecimal digits.
    package func replyID(generation: Int64?) -> String {
        // The key is a hash already; odd factors make different ones of different generations.
        let number = UInt64(bitPattern: generation ?? 0)
        let mixed = Key(
            high: key.high &+ number &* 0x9e37_79b9_7f4a_7c15, low: key.low ^ number &* 0xd1b5_4a32_d192_ed03)
        return mixed.text(after: "r-")
    }

    /// As ``replyID(generation:)``, for the reply to a batch.
    ///
    /// - Parameter generations: the generation of each token in the reply, nil for other answers.
    /// - Returns: `r-` and 32 hexadecimal digits.
    package func replyID(generations: [Int64?]) -> String {
        if generations.count == 1 { return replyID(generation: generations[0]) }
        var parts = KeyParts(.reply)
        parts.append(key)
        for generation in generations {
            parts.append(UInt32(truncatingIfNeeded: (generation ?? 0) >> 32))
            parts.append(UInt32(truncatingIfNeeded: generation ?? 0))
        }
        return parts.key.text(after: "r-")
    }
}
