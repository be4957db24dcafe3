// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a line calls itself, to find its answer by.
enum LineID {
    case none
    case text(String)
    case number(Int64)

    /// Takes the member `id`; what is neither a string nor a whole number counts as none.
    init(_ value: JSONValue?) {
        switch value {
        case .string(let text): self = .text(text)
        case .integer(let number): self = .number(number)
        default: self = .none
        }
    }

    /// Begins an answer with the same id.
    func write(to json: inout JSONWriter) {
        json.name("id")
        switch self {
        case .none: json.null()
        case .text(let text): json.string(text)
        case .number(let number): json.integer(number)
        }
    }
}
