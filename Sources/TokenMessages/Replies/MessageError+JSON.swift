// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension MessageError {
    /// The body of an error reply.
    public func encode() -> [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.name("error")
        json.beginObject()
        json.member("code", code.rawValue)
        json.member("message", message)
        if let field { json.member("field", field) }
        json.member("retryable", isRetryable)
        if let retryAfter { json.member("retryAfter", retryAfter) }
        json.endObject()
        json.endObject()
    }

    /// Reads an error reply; a code that is not known is taken for `internal`, with the code in the message.
    ///
    /// - Parameter body: the JSON text.
    /// - Throws: ``ReplyError`` if a member is missing or of another type.
    public init(_ body: [UInt8]) throws(ReplyError) {
        try self.init(ReplyFields(body))
    }

    init(_ reply: ReplyFields) throws(ReplyError) {
        let error = try reply.object("error")
        let name = try error.string("code")
        let message = try error.string("message")
        let code = ErrorCode(rawValue: name)
        self.init(
            code ?? .internal, code == nil ? "\(Shown.name(name)): \(message)" : message,
            field: try error.optionalString("field"), isRetryable: try error.bool("retryable"),
            retryAfter: try error.optionalSeconds("retryAfter"))
    }
}
