// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The names of exchanges and queues, which share a prefix.
public struct Names: Sendable, Hashable {
    /// The prefix of every name.
    public let prefix: String

    /// The default prefix.
    public static let standard = Names(unchecked: "agora")

    private init(unchecked prefix: String) { self.prefix = prefix }

    /// Takes a prefix; nil for one that no queue may begin with.
    ///
    /// - Parameter prefix: 1 to 100 of `A-Z a-z 0-9 . _ -`; not `amq.…`, which belongs to the broker.
    public init?(prefix: String) {
        let isAllowed = prefix.utf8.allSatisfy { byte in
            byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
                || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
        guard isAllowed, (1...100).contains(prefix.utf8.count), prefix != "amq", !prefix.hasPrefix("amq.") else {
            return nil
        }
        self.init(unchecked: prefix)
    }

    /// The direct exchange to which requests, renewals and cancels go.
    public var tokensExchange: String { prefix + ".tokens" }

    /// The queue of one kind of message; its routing key is the kind's.
    public func queue(_ kind: MessageKind) -> String { "\(prefix).tokens.\(kind.routingKey)" }

    /// The queue of messages that cannot be answered.
    public var deadQueue: String { prefix + ".tokens.dead" }

    /// The topic exchange to which notices go.
    public var noticesExchange: String { prefix + ".notices" }

    /// The fanout exchange and the queue for notices that no queue is bound for.
    public var unroutedNotices: String { prefix + ".notices.unrouted" }

    /// The exclusive queue that only one worker with SQLite can hold.
    public var sqliteOwner: String { prefix + ".sqlite-owner" }

    /// Every queue that is ours, none of which replies may go to.
    public var ownQueues: [String] {
        MessageKind.allCases.map(queue) + [deadQueue, unroutedNotices, sqliteOwner]
    }
}
