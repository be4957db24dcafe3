// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The properties that travel with a message.
///
/// A text property of a received message that is not valid UTF-8 is nil here and named in ``undecodable``; the bytes of
/// ids are there all the same.
public struct MessageProperties: Sendable, Hashable {
    /// The media type of the body.
    public var contentType: String?
    /// The encoding of the body.
    public var contentEncoding: String?
    /// What the message is.
    public var type: String?
    /// Where answers are to go.
    public var replyTo: String?
    /// The sender's reference, byte for byte: at most 255 bytes, not necessarily text.
    public var correlationID: [UInt8]?
    /// The sender's identifier of the message, byte for byte: at most 255 bytes, not necessarily text.
    public var messageIDBytes: [UInt8]?
    /// The user that the broker has checked to be the sender.
    public var userID: String?
    /// The sending application, by its own word.
    public var appID: String?
    /// When the message was made, in seconds since 1970.
    public var timestamp: UInt64?
    /// How long the message may wait in a queue, in milliseconds.
    public var expiration: UInt32?
    /// The priority, 0 to 255.
    public var priority: UInt8?
    /// Whether the message survives a restart of the broker in a durable queue.
    public var isPersistent = false
    /// Further named values.
    public var headers = HeaderTable()
    /// The properties of a received message that were present but could not be read, by their AMQP names.
    public var undecodable: [String] = []

    /// Creates properties, all of them absent.
    public init() {}

    /// The sender's identifier of the message as a text; nil where it is none.
    public var messageID: String? {
        get { messageIDBytes.flatMap { String(validating: $0, as: UTF8.self) } }
        set { messageIDBytes = newValue.map { Array($0.utf8) } }
    }
}
