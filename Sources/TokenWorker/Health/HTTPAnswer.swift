// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a page of the worker answers.
struct HTTPAnswer: Sendable, Hashable {
    /// The HTTP status.
    var status: UInt32
    /// The media type of the body.
    var contentType = "text/plain; charset=utf-8"
    /// The body.
    var body: [UInt8]

    /// Answers with lines of text.
    init(status: UInt32, lines: [String]) {
        self.status = status
        body = Array(lines.map { $0 + "\n" }.joined().utf8)
    }
}
