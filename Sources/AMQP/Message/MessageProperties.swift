// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The properties that travel with a message.
///
/// A text property of a received message that is not valid UTF-8 is nil here and named in ``undecodable``; the bytes of
/// ids are there all the same.
public struct MessageProperties: Sendable, Hashable {
    /// The values by themselves: to set many of them, which copies all others each time, start here.
    package struct Fields: Sendable, Hashable {
        package var contentType: String?
        package var contentEncoding: String?
        package var type: String?
        package var replyTo: String?
        package var correlationID: [UInt8]?
        package var messageIDBytes: [UInt8]?
        package var userID: String?
        package var appID: String?
        package var timestamp: UInt64?
        package var expiration: UInt32?
        package var priority: UInt8?
        package var isPersistent = false
        package var headers = HeaderTable()
        package var undecodable: [String] = []

        package init() {}

        /// The message's identifier as a text; nil where it is none.
        package var messageID: String? {
            get { messageIDBytes.flatMap { String(validating: $0, as: UTF8.self) } }
            set { messageIDBytes = newValue.map { Array($0.utf8) } }
        }
    }

    /// What copies share: a message is handed on many times for each time that its properties change.
    private final class Shared: Sendable {
        let fields: Fields

        init(_ fields: Fields) { self.fields = fields }
    }

    private var shared: Shared
    private static let none = Shared(Fields())

    /// Creates properties, all of them absent.
    public init() { shared = Self.none }

    /// Creates properties with all their values.
    package init(_ fields: Fields) { shared = Shared(fields) }

    /// The values by themselves.
    package var fields: Fields { shared.fields }

    private mutating func change(_ change: (inout Fields) -> Void) {
        var fields = shared.fields
        change(&fields)
        shared = Shared(fields)
    }

    /// Whether two messages have the same properties.
    public static func == (one: MessageProperties, other: MessageProperties) -> Bool {
        one.shared === other.shared || one.shared.fields == other.shared.fields
    }

    /// Hashes every property.
    public func hash(into hasher: inout Hasher) { hasher.combine(shared.fields) }
}

extension MessageProperties: CustomReflectable {
    /// Shows the values, which are what a message has.
    public var customMirror: Mirror { Mirror(reflecting: shared.fields) }
}

extension MessageProperties {
    /// The media type of the body.
    public var contentType: String? {
        get { shared.fields.contentType }
        set { change { $0.contentType = newValue } }
    }

    /// The encoding of the body.
    public var contentEncoding: String? {
        get { shared.fields.contentEncoding }
        set { change { $0.contentEncoding = newValue } }
    }

    /// What the message is.
    public var type: String? {
        get { shared.fields.type }
        set { change { $0.type = newValue } }
    }

    /// Where answers are to go.
    public var replyTo: String? {
        get { shared.fields.replyTo }
        set { change { $0.replyTo = newValue } }
    }

    /// The sender's reference, byte for byte: at most 255 bytes, not necessarily text.
    public var correlationID: [UInt8]? {
        get { shared.fields.correlationID }
        set { change { $0.correlationID = newValue } }
    }

    /// The sender's identifier of the message, byte for byte: at most 255 bytes, not necessarily text.
    public var messageIDBytes: [UInt8]? {
        get { shared.fields.messageIDBytes }
        set { change { $0.messageIDBytes = newValue } }
    }

    /// The sender's identifier of the message as a text; nil where it is none.
    public var messageID: String? {
        get { shared.fields.messageID }
        set { change { $0.messageID = newValue } }
    }

    /// The user that the broker has checked to be the sender.
    public var userID: String? {
        get { shared.fields.userID }
        set { change { $0.userID = newValue } }
    }

    /// The sending application, by its own word.
    public var appID: String? {
        get { shared.fields.appID }
        set { change { $0.appID = newValue } }
    }

    /// When the message was made, in seconds since 1970.
    public var timestamp: UInt64? {
        get { shared.fields.timestamp }
        set { change { $0.timestamp = newValue } }
    }

    /// How long the message may wait in a queue, in milliseconds.
    public var expiration: UInt32? {
        get { shared.fields.expiration }
        set { change { $0.expiration = newValue } }
    }

    /// The priority, 0 to 255.
    public var priority: UInt8? {
        get { shared.fields.priority }
        set { change { $0.priority = newValue } }
    }

    /// Whether the message survives a restart of the broker in a durable queue.
    public var isPersistent: Bool {
        get { shared.fields.isPersistent }
        set { change { $0.isPersistent = newValue } }
    }

    /// Further named values.
    public var headers: HeaderTable {
        get { shared.fields.headers }
        set { change { $0.headers = newValue } }
    }

    /// The properties of a received message that were present but could not be read, by their AMQP names.
    public var undecodable: [String] {
        get { shared.fields.undecodable }
        set { change { $0.undecodable = newValue } }
    }
}
