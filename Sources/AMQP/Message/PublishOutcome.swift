// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What became of a publication; every publication has exactly one.
public struct PublishOutcome: Sendable, Hashable {
    /// The ends that a publication can come to.
    public enum Result: Sendable, Hashable {
        /// The broker has taken responsibility for it.
        case confirmed
        /// The broker refused it, for instance because a queue is full.
        case nacked
        /// It was mandatory and no queue took it.
        case returned(code: UInt16, text: String)
        /// It cannot be sent at all, and nothing was; the reason.
        case invalid(String)
        /// Nobody knows whether the broker has it: the channel or the connection went, or was not there.
        case lost(AMQPError)
    }

    /// The publication's number.
    public let id: UInt64
    /// What became of it.
    public let result: Result

    /// Creates an outcome.
    ///
    /// - Parameters:
    ///   - id: the publication's number.
    ///   - result: what became of it.
    public init(id: UInt64, result: Result) {
        self.id = id
        self.result = result
    }
}
