// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// An answer of the worker: the property `type` and the body.
public indirect enum Reply: Sendable, Hashable {
    /// `token.issued`.
    case issued(TokenReply)
    /// `token.renewed`.
    case renewed(TokenReply)
    /// `token.cancelled`.
    case cancelled(CancelledReply)
    /// `token.explained`.
    case explained(ExplainedReply)
    /// `token.batch`.
    case batch(BatchReply)
    /// `token.error`.
    case error(MessageError)

    /// The property `type`.
    public var type: String {
        switch self {
        case .issued: "token.issued"
        case .renewed: "token.renewed"
        case .cancelled: "token.cancelled"
        case .explained: "token.explained"
        case .batch: "token.batch"
        case .error: "token.error"
        }
    }

    /// The code of an error, nil for every other reply.
    public var errorCode: ErrorCode? {
        guard case .error(let error) = self else { return nil }
        return error.code
    }

    /// The body.
    public func encode() -> [UInt8] {
        switch self {
        case .issued(let reply): reply.encode()
        case .renewed(let reply): reply.encode()
        case .cancelled(let reply): reply.encode()
        case .explained(let reply): reply.encode()
        case .batch(let reply): reply.encode()
        case .error(let error): error.encode()
        }
    }

    /// Reads a reply by its type.
    ///
    /// - Parameters:
    ///   - type: the property `type`.
    ///   - body: the body.
    /// - Throws: ``ReplyError`` for a type that is not known or a body that does not fit it.
    public init(type: String, body: [UInt8]) throws(ReplyError) {
        switch type {
        case "token.issued": self = .issued(try TokenReply(body))
        case "token.renewed": self = .renewed(try TokenReply(body))
        case "token.cancelled": self = .cancelled(try CancelledReply(body))
        case "token.explained": self = .explained(try ExplainedReply(body))
        case "token.batch": self = .batch(try BatchReply(body))
        case "token.error": self = .error(try MessageError(body))
        default: throw ReplyError(description: "\(Shown.quoted(type)) is no type of a reply")
        }
    }
}
