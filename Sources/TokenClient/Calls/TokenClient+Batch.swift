// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

public import TokenMessages

extension TokenClient {
    /// Asks for several tokens at once, for instance for every channel of a user.
    ///
    /// One that is refused spoils no other.
    ///
    /// - Parameters:
    ///   - requests: what they are for, at most 100.
    ///   - messageID: the key by which the same requests again are known.
    /// - Returns: a token or the reason against it for each request, in order.
    /// - Throws: ``ClientError`` when there is no answer, or none to any of them.
    public func request(
        _ requests: [TokenRequest], messageID: String? = nil
    ) async throws(ClientError) -> [Result<TokenReply, MessageError>] {
        try await tokens(.request, Batch.encode(requests), count: requests.count, messageID: messageID)
    }

    /// Asks for the next tokens of several leases at once.
    ///
    /// - Parameters:
    ///   - renewals: which leases, at most 100.
    ///   - messageID: the key by which the same renewals again are known.
    /// - Returns: a token or the reason against it for each renewal, in order.
    /// - Throws: ``ClientError`` when there is no answer, or none to any of them.
    public func renew(
        _ renewals: [RenewRequest], messageID: String? = nil
    ) async throws(ClientError) -> [Result<TokenReply, MessageError>] {
        try await tokens(.renew, Batch.encode(renewals), count: renewals.count, messageID: messageID)
    }

    /// Ends several leases at once.
    ///
    /// - Parameters:
    ///   - cancellations: which leases, at most 100.
    ///   - messageID: the key by which the same cancellations again are known.
    /// - Returns: what was ended, or why not, for each cancellation, in order.
    /// - Throws: ``ClientError`` when there is no answer, or none to any of them.
    @discardableResult
    public func cancel(
        _ cancellations: [CancelRequest], messageID: String? = nil
    ) async throws(ClientError) -> [Result<CancelledReply, MessageError>] {
        let results = try await batch(
            .cancel, Batch.encode(cancellations), count: cancellations.count, messageID: messageID)
        var answers: [Result<CancelledReply, MessageError>] = []
        for result in results {
            switch result {
            case .cancelled(let cancelled): answers.append(.success(cancelled))
            case .error(let error): answers.append(.failure(error))
            case .token: throw .unreadable("a token answers a cancellation")
            }
        }
        return answers
    }

    private func tokens(
        _ kind: MessageKind, _ body: [UInt8], count: Int, messageID: String?
    ) async throws(ClientError) -> [Result<TokenReply, MessageError>] {
        var answers: [Result<TokenReply, MessageError>] = []
        for result in try await batch(kind, body, count: count, messageID: messageID) {
            switch result {
            case .token(let token): answers.append(.success(token))
            case .error(let error): answers.append(.failure(error))
            case .cancelled: throw .unreadable("a cancellation answers \(kind == .renew ? "a renewal" : "a request")")
            }
        }
        return answers
    }

    /// Sends items, and expects an answer to each; without items nothing is sent.
    private func batch(
        _ kind: MessageKind, _ body: [UInt8], count: Int, messageID: String?
    ) async throws(ClientError) -> [BatchResult] {
        guard count > 0 else { return [] }
        let reply = try await call(kind, body, messageID: messageID)
        guard case .batch(let batch) = reply else { throw .unreadable("\(reply.type) answers a batch") }
        guard batch.results.count == count else {
            throw .unreadable("\(batch.results.count) results answer \(count) items")
        }
        return batch.results
    }
}
