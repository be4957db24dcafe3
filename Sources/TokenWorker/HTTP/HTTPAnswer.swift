// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a server answers.
package struct HTTPAnswer: Sendable, Hashable {
    /// The HTTP status.
    package var status: UInt32
    /// The media type of the body; `nil` without one.
    package var contentType: String? = "text/plain; charset=utf-8"
    /// Further fields of the head.
    package var fields: [HTTPField] = []
    /// The body.
    package var body: [UInt8]

    /// Answers with lines of text.
    package init(status: UInt32, lines: [String]) {
        self.status = status
        body = Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    /// Answers with JSON.
    package init(status: UInt32, json: [UInt8]) {
        self.status = status
        contentType = "application/json"
        body = json
    }

    /// Answers with nothing but a head.
    package init(status: UInt32, fields: [HTTPField]) {
        self.status = status
        self.fields = fields
        contentType = nil
        body = []
    }
}
