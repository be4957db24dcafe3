// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken
internal import LeaseStore
internal import TokenMessages

/// Makes replies of what was decided, without I/O: signs tokens, words refusals.
struct ReplyComposer: Sendable {
    let projects: Projects

    /// A reply, and what has to be undone when it reaches nobody.
    struct Answer: Sendable {
        let reply: Reply
        var claim: ReplyDesk.Claim?
        /// The replies to the items of a batch, which say whether a token is new or renewed; empty for one message.
        var items: [Reply] = []
    }

    /// The reply to a message.
    ///
    /// - Parameters:
    ///   - plan: what the message comes to.
    ///   - outcomes: what the store did, from the first operation of this plan on; those of this plan are taken off.
    /// - Returns: the reply; `nil` where nobody is answered but the dead letters.
    func answer(_ plan: Plan, _ outcomes: inout ArraySlice<LeaseResult>) -> Answer? {
        switch plan {
        case .commit(let order, _): outcomes.popFirst().flatMap { answer($0, to: order.operation) }
        case .sign(let token, _): answer(token)
        case .answer(let reply, _): Answer(reply: reply)
        case .refuse(let error, _): Answer(reply: .error(error))
        case .deadLetter: nil
        case .several(let plans, _):
            Self.together(
                plans.map { plan in
                    // The other items are answered, so this one has to be as well.
                    answer(plan, &outcomes) ?? Answer(reply: .error(Self.rejected(.internal)))
                })
        }
    }

    /// One reply of those to the items of a batch.
    private static func together(_ answers: [Answer]) -> Answer {
        let claims = answers.compactMap(\.claim)
        return Answer(
            reply: .batch(BatchReply(results: answers.compactMap { BatchResult($0.reply) })),
            claim: claims.isEmpty ? nil : .several(claims), items: answers.map(\.reply))
    }

    /// The fault of a message that the store takes no value of, now or later.
    static func rejected(_ code: ErrorCode) -> MessageError {
        MessageError(code, "the store refuses a value of this message", isRetryable: false)
    }

    /// The reply with a token that has no lease.
    private func answer(_ token: LooseToken) -> Answer {
        do {
            let text =
                token.isDryRun
                ? ""
                : try token.grant.token(
                    issuedAt: token.issuedAt, salt: token.salt, certificate: token.project.certificate)
            let reply = TokenReply(
                token: text, grant: token.grant, issuedAt: token.issuedAt, lease: nil, leads: token.leads,
                warnings: token.warnings, isDryRun: token.isDryRun)
            return Answer(reply: token.isRenewal ? .renewed(reply) : .issued(reply))
        } catch {
            return Answer(reply: .error(Self.fault(error)))
        }
    }

    /// The reply to what the store did; `nil` where nobody is answered but the dead letters.
    private func answer(_ result: LeaseResult, to operation: LeaseOperation) -> Answer? {
        switch result {
        case .granted(let lease), .repeated(let lease): return granted(lease, operation)
        case .cancelled(let lease, already: _):
            return Answer(
                reply: .cancelled(
                    CancelledReply(
                        leaseID: lease.id, generation: lease.generation, appID: lease.grant.appID,
                        scope: lease.grant.scope,
                        tokenExpiresAt: lease.grant.tokenEnd(issuedAt: lease.issuedAt))))
        case .refused(.rejectedByStore): return nil
        case .refused(.denied(let error)) where error.code == .leaseNotFound:
            // What policy hides is not to be told from what is not there.
            return answer(.refused(.notFound), to: operation)
        case .refused(.notFound):
            if case .cancel = operation {
                return Answer(reply: .error(MessageError(.leaseNotFound, "there is no such lease to cancel")))
            }
            return Answer(reply: .error(Self.error(.notFound)))
        case .refused(let refusal): return Answer(reply: .error(Self.error(refusal)))
        case .ended: return Answer(reply: .error(MessageError(.internal, "the store gave no answer")))
        }
    }

    /// The reply with the token of a lease that was renewed without a message.
    func renewal(_ lease: Lease) -> Reply {
        granted(lease, .renew(RenewOrder(planned: lease, salt: 0))).reply
    }

    private func granted(_ lease: Lease, _ operation: LeaseOperation) -> Answer {
        guard let project = projects.project(lease.grant.appID) else {
            return Answer(
                reply: .error(MessageError(.unknownProject, "the project of the lease is no longer configured here")))
        }
        do {
            // A repeat has the bytes of the first reply, whichever certificate signs by now. Where that one is gone from
            // the configuration, tokens of it may be worthless at Agora, too.
            let first = project.certificate(of: lease.certificate)
            let text = try lease.grant.token(
                issuedAt: lease.issuedAt, salt: lease.salt, certificate: first ?? project.certificate)
            var warnings: [String] = []
            if first == nil {
                warnings.append(
                    "signed with another certificate than before, which is no longer configured: the token differs")
            }
            var isRenewal = false
            if case .renew(let order) = operation {
                isRenewal = true
                if let expire = order.expire, lease.grant.lifetime > expire {
                    warnings.append(
                        "lifetime \(lease.grant.lifetime) s instead of \(expire) s: a renewal never ends a lease earlier"
                    )
                }
            }
            let reply = TokenReply(
                token: text, grant: lease.grant, issuedAt: lease.issuedAt, lease: (lease.id, lease.generation),
                leads: Leads(lease.leads, lifetime: lease.grant.duration), warnings: warnings)
            return Answer(
                reply: isRenewal ? .renewed(reply) : .issued(reply),
                claim: isRenewal ? .renewed(lease) : .issued(lease))
        } catch {
            return Answer(reply: .error(Self.fault(error)))
        }
    }

    private static func fault(_ error: TokenError) -> MessageError {
        MessageError(.internal, "the token cannot be signed: \(error)")
    }

    private static func error(_ refusal: LeaseRefusal) -> MessageError {
        switch refusal {
        case .notFound: MessageError(.leaseNotFound, "there is no such lease; request a new token")
        case .expired: MessageError(.tokenExpired, "the token has run out; request a new one")
        case .superseded: MessageError(.leaseSuperseded, "the lease has a newer token")
        case .cancelled: MessageError(.leaseCancelled, "the lease was cancelled; request a new token")
        case .idempotencyConflict:
            MessageError(.idempotencyConflict, "this message_id came before with another body")
        case .denied(let error): error
        case .rejectedByStore: MessageError(.internal, "the store refuses a value of this message")
        }
    }
}
