// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import TokenMessages

/// One of the tokens of a ``KeepPlan``: what was asked for, what there is, and when to do something about it.
///
/// Times are of the monotonic clock and count from when a token was asked for, so that neither the time that a reply
/// takes nor a clock that differs from the worker's makes a token look better than it is.
struct Holding: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// What is asked for.
    let request: TokenRequest
    /// The newest token.
    private(set) var token: TokenReply?
    /// When the newest token is no longer to be relied on.
    private(set) var validUntil: Instant
    /// When to do something next.
    private(set) var dueAt: Instant
    /// Whether there is no further token to come.
    private(set) var isEnded = false
    private var mustAsk = false
    private var failures = 0
    private var pauses = BackOff(first: .milliseconds(200), longest: .seconds(5))
    private var reported: ClientError?

    /// Has nothing, and asks at once.
    ///
    /// The lease that asks is the keeper's to renew: the worker is not asked to do so by itself, and nothing is a dry run.
    init(_ request: TokenRequest, at now: Instant) {
        var request = request
        request.autoRenew = nil
        request.isDryRun = false
        self.request = request
        validUntil = now
        dueAt = now
    }

    /// What is to be done about it: the lease is renewed while it lives, otherwise a token is asked for.
    func order(at now: Instant) -> KeepPlan.Kind {
        guard let token, token.leaseID != nil, !mustAsk, now < validUntil else { return .request }
        return .renew
    }

    /// Whether it is to be done now.
    func isDue(at now: Instant) -> Bool { !isEnded && dueAt <= now }

    /// Whether it may be done now since others are: a bit before its time, but never within a pause.
    func isNearlyDue(at now: Instant) -> Bool {
        guard !isEnded, failures == 0, let token else { return false }
        let lead = Duration.seconds(Int(token.expiresAt &- token.renewAfter))
        return dueAt - now <= min(lead / 2, .seconds(5))
    }

    /// Takes a new token that was asked for at `askedAt`.
    mutating func take(_ reply: TokenReply, askedAt: Instant, share: Double) -> KeptTokenUpdate {
        let lifetime = Duration.seconds(Int(reply.expiresAt &- reply.issuedAt))
        let lead = Duration.seconds(Int(reply.expiresAt &- reply.renewAfter))
        token = reply
        mustAsk = false
        failures = 0
        pauses.succeeded()
        reported = nil
        // The worker counts whole seconds, and began up to one of them before.
        validUntil = askedAt + lifetime - min(.seconds(1), lifetime / 4)
        // A bit later than the notice, which comes first where all is well.
        let patience = min(.seconds(2), lead / 10) * (0.5 + 0.5 * share)
        dueAt = max(askedAt + (lifetime - lead) + patience, askedAt + lifetime / 2)
        return .token(reply)
    }

    /// Notes that there is something to do at once, for a worker said so.
    mutating func hurry(asking: Bool, at now: Instant) {
        guard failures == 0 else { return }
        mustAsk = mustAsk || asking
        dueAt = min(dueAt, now)
    }

    /// Notes that there was no answer; returns what is to be told.
    mutating func fail(_ error: ClientError, at now: Instant, share: Double) -> KeptTokenUpdate? {
        failures += 1
        dueAt = now + pauses.next(longest: false, share: share)
        return report(error)
    }

    /// Takes a refusal; returns what is to be told.
    mutating func refuse(_ error: MessageError, at now: Instant, share: Double) -> KeptTokenUpdate? {
        switch Refusal(error.code) {
        case .final:
            return end(.refused(error))
        case .leaseIsGone:
            // Nothing is wrong: somebody was late, or the lease is not what it was.
            let isFirst = !mustAsk
            mustAsk = true
            dueAt = isFirst ? now : now + pauses.next(longest: false, share: share)
            return isFirst ? nil : report(.refused(error))
        case .forNow:
            return fail(.refused(error), at: now, share: share)
        case .byDecision:
            failures += 1
            dueAt = now + .seconds(30) * (0.5 + 0.5 * share)
            return report(.refused(error))
        }
    }

    /// Ends it, for a reason or because nobody wants it any more; returns what is to be told, once.
    mutating func end(_ error: ClientError?) -> KeptTokenUpdate? {
        guard !isEnded else { return nil }
        isEnded = true
        return .ended(error)
    }

    private mutating func report(_ error: ClientError) -> KeptTokenUpdate? {
        guard reported != error else { return nil }
        reported = error
        return .failed(error)
    }
}

/// What a refusal means for whoever keeps a token.
enum Refusal: Sendable, Hashable {
    /// The same will be refused for ever.
    case final
    /// The lease cannot be renewed; a new token may be asked for.
    case leaseIsGone
    /// It may well go next time.
    case forNow
    /// Somebody has decided so, and may decide otherwise.
    case byDecision

    init(_ code: ErrorCode) {
        switch code {
        case .leaseNotFound, .leaseSuperseded, .tokenExpired, .tokenMalformed, .tokenSignatureInvalid:
            self = .leaseIsGone
        case .policyDenied, .unknownProject: self = .byDecision
        case .rateLimited, .deadlineExceeded, .internal, .idempotencyConflict: self = .forNow
        default: self = .final
        }
    }
}
