// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The headers of a dead letter.
enum DeadLetterHeader {
    /// Why it is one: a code of the contract.
    static let errorCode = "errorCode"
    /// The same for people.
    static let errorMessage = "errorMessage"
    /// The queue that it came from.
    static let originalQueue = "originalQueue"
    /// The user that the broker had checked, whose name nobody else may put on a message.
    static let originalUserID = "originalUserId"
    /// When it first became a dead letter, in seconds since 1970; kept when it is requeued.
    static let firstFailedAt = "firstFailedAt"
    /// How often it was delivered, over all its lives.
    static let attempts = "attempts"

    /// The headers of the contract that a message keeps.
    static let kept = ["deadline", "contractVersion", "traceparent", "tracestate"]
    /// The longest text of a header in bytes, so that all of them fit into one frame.
    static let longestText = 1024
}
