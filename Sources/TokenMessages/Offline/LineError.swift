// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What is wrong with one line of a batch.
///
/// The codes are those of messages where there is one, else `invalid_` and the field in snake case.
package struct LineError: Error, Sendable, Hashable {
    package let code: String
    package let message: String
    package let field: String?

    init(_ code: ErrorCode, _ message: String, field: String? = nil) {
        self.code = code.rawValue
        self.message = message
        self.field = field
    }

    /// A field with a wrong value.
    init(invalid field: String, _ message: String) {
        var code = "invalid_"
        for character in field.prefix(while: { $0.isLetter }) {
            code += character.isUppercase ? "_" + character.lowercased() : String(character)
        }
        self.code = code
        self.message = message
        self.field = field
    }

    /// Writes the member `error`.
    func write(to json: inout JSONWriter) {
        json.name("error")
        json.beginObject()
        json.member("code", code)
        json.member("message", message)
        if let field { json.member("field", field) }
        json.endObject()
    }
}
