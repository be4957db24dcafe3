// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// A body that has to be refused, and how.
struct Refusal: Sendable, CustomStringConvertible {
    let body: String
    let code: ErrorCode
    let field: String?
    /// What the sentence has to say.
    let says: String

    init(_ body: String, _ code: ErrorCode, _ field: String?, _ says: String) {
        self.body = body
        self.code = code
        self.field = field
        self.says = says
    }

    var description: String { String(body.prefix(120)) }

    /// The error that a decoder throws for the body, nil if it takes it.
    ///
    /// An untyped closure: the compiler (6.3.1) crashes over a generic one with typed throws.
    func error<Message>(_ decode: ([UInt8]) throws -> Message) throws -> MessageError? {
        do {
            _ = try decode(Array(body.utf8))
            return nil
        } catch let error as MessageError {
            return error
        }
    }
}
