// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What went wrong between this process and a broker.
///
/// Decide by ``code``; ``text`` is for people. Neither ever holds a password.
public struct AMQPError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure that call for different handling.
    public enum Code: String, Sendable, Hashable {
        /// No connection could be made: name resolution, refused, unreachable.
        case unreachable
        /// The broker did not answer in time.
        case timedOut
        /// The connection broke.
        case disconnected
        /// Nothing, not even a heartbeat, came from the broker for two intervals.
        case heartbeatMissed
        /// There is no encrypted connection: a file of ours cannot be used, or one side refused the other's certificate.
        case tlsFailed
        /// A file that the configuration names cannot be read, or holds something else than it should.
        case invalidConfiguration
        /// The broker refused the user name, password or mechanism.
        case authenticationFailed
        /// The broker forbids the operation (403).
        case accessRefused
        /// A queue or exchange does not exist (404).
        case notFound
        /// A queue belongs exclusively to another connection (405).
        case resourceLocked
        /// The broker refused because something is not as declared (406).
        case preconditionFailed
        /// The virtual host does not exist or may not be used (530).
        case notAllowed
        /// The broker closed the connection on purpose: shutdown or an operator (320).
        case connectionForced
        /// The broker failed inside (541).
        case internalError
        /// The broker closed the channel or connection for another reason; see ``AMQPError/replyCode``.
        case closedByBroker
        /// The peer sent what AMQP 0-9-1 does not allow.
        case protocolViolation
        /// This side closed the connection.
        case closed
        /// More publications are waiting than the configuration allows.
        case overloaded
    }

    /// The kind of failure.
    public let code: Code

    /// The broker's reply code, where the broker gave one.
    public let replyCode: UInt16?

    /// The failure in words, with the broker's own text where there is one.
    public let text: String

    /// Whether only a channel is lost, and the connection goes on.
    let isOfChannelOnly: Bool

    /// Creates an error of this library's own.
    ///
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - text: the failure in words.
    public init(_ code: Code, _ text: String) {
        self.code = code
        self.replyCode = nil
        self.text = text
        self.isOfChannelOnly = false
    }

    /// Creates an error from a reply code of the broker.
    ///
    /// - Parameters:
    ///   - replyCode: the code of `channel.close`, `connection.close` or `basic.return`.
    ///   - text: the broker's text.
    public init(replyCode: UInt16, text: String) {
        self.init(replyCode: replyCode, text: text, isOfChannelOnly: false)
    }

    init(replyCode: UInt16, text: String, isOfChannelOnly: Bool) {
        self.code =
            switch replyCode {
            case 320: .connectionForced
            case 403: .accessRefused
            case 404: .notFound
            case 405: .resourceLocked
            case 406: .preconditionFailed
            case 530: .notAllowed
            case 541: .internalError
            default: .closedByBroker
            }
        self.replyCode = replyCode
        self.text = text
        self.isOfChannelOnly = isOfChannelOnly
    }

    /// The failure in one line.
    public var description: String {
        if text.isEmpty, let replyCode { return "the broker gave the code \(replyCode)" }
        return text
    }

    /// Whether trying again soon is pointless, because an operator has to change something first.
    public var isConfiguration: Bool {
        switch code {
        case .authenticationFailed, .accessRefused, .notAllowed, .tlsFailed, .invalidConfiguration: true
        default: false
        }
    }

    /// The same failure, told with what was being done.
    func during(_ action: String) -> AMQPError {
        AMQPError(code: code, replyCode: replyCode, text: "\(action): \(description)", isOfChannelOnly: isOfChannelOnly)
    }

    private init(code: Code, replyCode: UInt16?, text: String, isOfChannelOnly: Bool) {
        self.code = code
        self.replyCode = replyCode
        self.text = text
        self.isOfChannelOnly = isOfChannelOnly
    }
}
