// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The answer to one item of a batch.
public enum BatchResult: Sendable, Hashable {
    /// A token, to a request or a renewal.
    case token(TokenReply)
    /// A lease that was ended.
    case cancelled(CancelledReply)
    /// Why there is neither.
    case error(MessageError)

    /// The answer that a reply to the item alone would be; nil for a reply that no item has.
    package init?(_ reply: Reply) {
        switch reply {
        case .issued(let token), .renewed(let token): self = .token(token)
        case .cancelled(let cancelled): self = .cancelled(cancelled)
        case .error(let error): self = .error(error)
        case .batch, .explained: return nil
        }
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .token(let reply): reply.write(to: &json)
        case .cancelled(let reply): reply.write(to: &json)
        case .error(let error): error.write(to: &json)
        }
    }

    init(_ fields: ReplyFields) throws(ReplyError) {
        if fields.json.member("error") != nil {
            self = .error(try MessageError(fields))
        } else if fields.json.member("tokenExpiresAt") != nil {
            self = .cancelled(try CancelledReply(fields))
        } else {
            self = .token(try TokenReply(fields))
        }
    }
}

/// The body of a `token.batch`: an answer to each item, in the order of the items.
public struct BatchReply: Sendable, Hashable {
    /// The answers.
    public var results: [BatchResult]

    /// Takes answers together.
    public init(results: [BatchResult]) { self.results = results }

    /// The body that carries this reply.
    public func encode() -> [UInt8] {
        var json = JSONWriter(capacity: 512 * results.count)
        json.beginObject()
        json.name("results")
        json.beginArray()
        for result in results { result.write(to: &json) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// Reads a reply; members that are not known are passed over.
    ///
    /// - Parameter body: the JSON text.
    /// - Throws: ``ReplyError`` if a member is missing or of another type.
    public init(_ body: [UInt8]) throws(ReplyError) {
        results = []
        for result in try ReplyFields(body).array("results") { results.append(try BatchResult(ReplyFields(result))) }
    }
}
