// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

public import TokenMessages

extension TokenClient {
    /// Keeps a token valid, from now on and until it is ended.
    ///
    /// The token is renewed when a worker tells that it will expire, by the token's own `renewAfter` where no notice
    /// comes, and asked for anew after its end. While the broker or the workers are away it is tried again, with pauses
    /// that grow to 5 s and have a random share.
    ///
    /// - Parameter request: what the token is for; its `autoRenew` and `isDryRun` do not count.
    /// - Returns: the token that is kept; there may be none yet.
    public func keepAlive(_ request: TokenRequest) -> KeptToken { keepAlive([request])[0] }

    /// Keeps several tokens valid, for instance for every channel of a user.
    ///
    /// They are asked for by one message, and renewed by one where they fall due together.
    ///
    /// - Parameter requests: what the tokens are for.
    /// - Returns: the tokens that are kept, in order.
    public func keepAlive(_ requests: [TokenRequest]) -> [KeptToken] {
        let pairs = requests.map { _ in
            AsyncStream.makeStream(of: KeptTokenUpdate.self, bufferingPolicy: .bufferingNewest(16))
        }
        let keeper = TokenKeeper(requests, self, streams: pairs.map(\.continuation))
        if keepers.add(keeper, { subscribe() }) {
            Task { await keeper.run() }
        } else {
            keeper.abandon(.unavailable("the client is closed"))
        }
        let lifeline = KeptToken.Lifeline(keeper)
        return pairs.enumerated().map { KeptToken(keeper, $0.offset, lifeline, updates: $0.element.stream) }
    }

    /// Ends tokens that this client keeps, and cancels their leases by as few messages as possible.
    ///
    /// - Parameter tokens: the tokens, which stay valid until they run out.
    /// - Throws: ``ClientError`` when a lease may not have been cancelled: it then ends with its token.
    public func end(_ tokens: [KeptToken]) async throws(ClientError) {
        var leases: [String] = []
        for token in tokens { leases += token.stop() }
        try await TokenKeeper.cancel(leases, by: self)
    }
}
