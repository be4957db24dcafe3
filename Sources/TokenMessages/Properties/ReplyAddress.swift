// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Where replies may go: the default exchange reaches every queue of the virtual host, so the address is checked.
public struct ReplyAddress: Sendable, Hashable {
    /// The queues of the worker, which replies never go to.
    private let own: Set<String>
    /// What an address has to begin with that is neither named by the broker nor direct; nil where there is no other.
    private var prefix: String?
    private let allowsDirect: Bool

    /// The beginning of the names that the broker gives.
    private static let brokerNamed = "amq.gen-"
    /// The beginning of the addresses of direct reply-to.
    private static let direct = "amq.rabbitmq.reply-to."

    /// Makes the rule.
    ///
    /// - Parameters:
    ///   - names: the names of the worker's own queues.
    ///   - allowsDirect: whether direct reply-to is allowed; brokers before 3.10.12 close the connection over a bad one.
    ///   - prefix: the beginning of the names that backends may give to their reply queues.
    public init(names: Names, allowsDirect: Bool, prefix: String = "reply.") {
        own = Set(names.ownQueues)
        self.allowsDirect = allowsDirect
        self.prefix = prefix
    }

    /// The rule where only the queues of one user may get replies by a name of their own.
    ///
    /// - Parameter user: the user that the broker has checked; without one only the broker's names are left.
    /// - Returns: the rule with `reply.<user>.` in place of `reply.`.
    package func limited(to user: String?) -> ReplyAddress {
        var rule = self
        rule.prefix = user.flatMap { user in prefix.map { "\($0)\(user)." } }
        return rule
    }

    /// Whether an address is a direct one, for which a mandatory publish always comes back.
    public static func isDirect(_ address: String) -> Bool { address.hasPrefix(direct) }

    /// Checks an address.
    ///
    /// - Parameter address: the property `reply_to`.
    /// - Returns: the address.
    /// - Throws: `missing_reply_to` or `reply_to_not_allowed`.
    public func check(_ address: String?) throws(MessageError) -> String {
        guard let address, !address.isEmpty else {
            throw MessageError(.missingReplyTo, "reply_to is missing; it must name the queue for the reply")
        }
        guard address.utf8.count <= 255, Self.isPrintable(address) else {
            throw refusal(address, "it must be at most 255 bytes of printable text")
        }
        guard !own.contains(address) else { throw refusal(address, "it must not be a queue of the worker itself") }
        if address.hasPrefix(Self.direct) {
            guard allowsDirect else {
                throw MessageError(
                    .replyToNotAllowed,
                    "reply_to is direct reply-to, which is switched off, as brokers before 3.10.12 need")
            }
            guard address.utf8.dropFirst(Self.direct.utf8.count).allSatisfy(Self.isOfDirectAddress) else {
                throw MessageError(
                    .replyToNotAllowed, "reply_to is direct reply-to of an address that no broker gave")
            }
            return address
        }
        let isNamed = [Self.brokerNamed, prefix].contains { start in
            start.map { address.hasPrefix($0) && address != $0 } ?? false
        }
        guard isNamed else {
            let named = prefix.map { "begin with \($0) or " } ?? ""
            throw refusal(address, "it must \(named)be named by the broker (amq.gen-…)")
        }
        return address
    }

    private func refusal(_ address: String, _ reason: String) -> MessageError {
        MessageError(.replyToNotAllowed, "reply_to is \(Shown.quoted(address)); \(reason)")
    }

    private static func isPrintable(_ address: String) -> Bool {
        let bytes = address.utf8.span
        var unusual: UInt8 = 0
        for position in bytes.indices {
            let byte = bytes[position]
            unusual |= byte < 0x20 || byte >= 0x7F ? 1 : 0
        }
        // U+FFFD stands for bytes that were no UTF-8: the queue that was meant has another name.
        return unusual == 0
            || address.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0xFFFD }
    }

    private static func isOfDirectAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
