// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What one kind of connection does on its thread; ``ConnectionLoop`` does what all kinds have in common.
///
/// An error thrown from any of its methods ends the connection, and ``lost(_:)`` follows.
protocol ConnectionRole: AnyObject {
    associatedtype Command: Sendable

    /// What the connection can do, while there is one.
    var state: ConnectionState { get }
    /// Whether the end was asked for.
    var isClosing: Bool { get }
    /// Whether nothing is left to be done before the end.
    var isFinished: Bool { get }

    /// Makes a new connection ready.
    func opened(_ session: BrokerSession) throws(AMQPError)
    /// Takes commands; without a session there is no connection.
    func take(_ commands: [Command], _ session: BrokerSession?) throws(AMQPError)
    /// Takes a frame of the broker's.
    func take(_ frame: IncomingFrame, _ session: BrokerSession) throws(AMQPError)
    /// Does what the commands and frames of this turn have brought about, and what is due.
    func turn(_ session: BrokerSession, now: UInt64) throws(AMQPError)
    /// Whether there is more to send at once.
    var hasMore: Bool { get }
    /// How many messages are on their way: delivered and not settled, or published and not confirmed.
    var underway: Int { get }
    /// Forgets a connection that is over, or one that could not be made.
    func lost(_ error: AMQPError)
}
