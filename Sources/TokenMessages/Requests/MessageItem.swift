// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A message that comes alone, as the whole body, or as one of a list.
package protocol MessageItem: Sendable {
    /// The field of a body that holds a list of such messages.
    static var listField: String { get }
    /// The code for a list that cannot be taken apart.
    static var listFault: ErrorCode { get }

    /// Reads and checks one message.
    ///
    /// - Parameter members: the members of its object.
    /// - Throws: the first fault.
    init(members: [JSONMember]) throws(MessageError)
}

/// What the body of a message holds.
package enum MessageBody<Item: MessageItem>: Sendable {
    /// One message.
    case single(Item)
    /// Several, in order, each read by itself: a bad one spoils no other.
    case list([Result<Item, MessageError>])

    /// Reads a body.
    ///
    /// - Parameter body: a JSON object in UTF-8.
    /// - Throws: ``MessageError`` if the body cannot be read, or for the first fault of a single message.
    package init(_ body: [UInt8]) throws(MessageError) {
        let members = try MessageFields.object(body)
        guard let list = members.first(where: { $0.name == Item.listField }) else {
            self = .single(try Item(members: members))
            return
        }
        if let other = members.first(where: { $0.name != Item.listField }) {
            let name = Shown.name(other.name)
            throw MessageError(
                .unknownField, "\(name) stands beside \(Item.listField); whatever it is for, it belongs into the items",
                field: name)
        }
        self = .list(try Self.items(list.value))
    }

    private static func items(_ list: JSONValue) throws(MessageError) -> [Result<Item, MessageError>] {
        let field = Item.listField
        guard case .array(let values) = list else {
            throw MessageError(Item.listFault, "\(field) is \(Shown(list)); it must be an array", field: field)
        }
        guard values.count <= Batch.mostItems else {
            throw MessageError(
                Item.listFault, "\(field) has \(values.count) items; it must not have more than \(Batch.mostItems)",
                field: field)
        }
        return values.map { value in
            Result { () throws(MessageError) in
                guard case .object(let members) = value else {
                    throw MessageError(
                        Item.listFault, "the item is \(Shown(value)); it must be an object", field: field)
                }
                return try Item(members: members)
            }
        }
    }
}
