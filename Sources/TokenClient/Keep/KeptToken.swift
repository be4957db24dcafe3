// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

public import TokenMessages

/// A token that is kept valid: renewed before it runs out, and asked for anew when it has run out all the same.
///
/// ```swift
/// let kept = client.keepAlive(TokenRequest(channelName: "test", user: .uid(1234)))
/// for await update in kept.updates {
///     switch update {
///     case .token(let reply): app.use(reply.token)
///     case .failed(let error): log("no new token yet: \(error)")
///     case .ended: break
///     }
/// }
/// ```
///
/// It is kept until ``end()``, or until nothing holds it any more; then it is renewed no longer, and its lease ends by
/// itself.
public final class KeptToken: Sendable {
    /// What became of the token, from the first one on, to be iterated once.
    ///
    /// Of updates that nobody has taken yet the newest 16 are there.
    public let updates: AsyncStream<KeptTokenUpdate>

    private let keeper: TokenKeeper
    private let position: Int
    private let lifeline: Lifeline

    /// Ends the keeper when the last of its tokens is let go.
    final class Lifeline: Sendable {
        private let keeper: TokenKeeper

        init(_ keeper: TokenKeeper) { self.keeper = keeper }

        deinit { keeper.abandon() }
    }

    init(_ keeper: TokenKeeper, _ position: Int, _ lifeline: Lifeline, updates: AsyncStream<KeptTokenUpdate>) {
        self.keeper = keeper
        self.position = position
        self.lifeline = lifeline
        self.updates = updates
    }

    /// The newest token, while it is valid; `nil` before the first, and while a worker or the broker is away for longer
    /// than a token lasts.
    ///
    /// The answer errs on the safe side by a second, since tokens end with whole seconds.
    public var current: TokenReply? { keeper.current(position) }

    /// The newest valid token, after waiting for one where there is none.
    ///
    /// - Returns: the token and what it is good for.
    /// - Throws: ``ClientError`` when no further token will come, or the task was cancelled.
    public func token() async throws(ClientError) -> TokenReply { try await keeper.token(position) }

    /// Ends it, and cancels its lease; the token stays valid until it runs out.
    ///
    /// When this returns, ``updates`` has ended. Ending again does nothing.
    ///
    /// - Throws: ``ClientError`` when the lease may not have been cancelled: it then ends with its token.
    public func end() async throws(ClientError) { try await TokenKeeper.cancel(stop(), by: keeper.client) }

    /// Ends it; returns the lease that is left, if any.
    func stop() -> [String] { keeper.stop([position]) }
}
