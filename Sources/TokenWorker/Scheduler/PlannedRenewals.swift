// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import LeaseStore
import TokenMessages

/// Renewals that no message asks for: the deeds of leases with a plan.
///
/// The store is their outbox. A renewal writes a generation whose first step is to send its token, so that a crash at
/// any point costs a second copy of the same token, and never a token.
struct PlannedRenewals: Sendable {
    /// The longest that a deed waits to be tried again, in seconds.
    private static let longestPause: UInt32 = 30

    let authority: any RenewalAuthority

    /// What became of renewals.
    struct Outcome: Sendable {
        /// The new generations.
        var granted: [Lease] = []
        /// Those that are tried again.
        var postponed: [Postponement] = []
        /// How many leases had been renewed or cancelled meanwhile.
        var movedOn = 0
    }

    /// A deed that was in vain, and is tried again.
    struct Postponement: Sendable {
        let lease: Lease
        let mark: StepMark
        let reason: String
    }

    /// Renews leases, together.
    ///
    /// - Parameters:
    ///   - claims: claimed leases whose renewal is due.
    ///   - store: where they are.
    ///   - now: the store's clock in milliseconds since 1970.
    /// - Returns: what became of them.
    /// - Throws: `StoreError` when the store is away; nothing was renewed then.
    func renew(
        _ claims: [ClaimedLease], in store: any LeaseStore, now: Int64
    ) throws(StoreError) -> Outcome {
        let orders = claims.map { claimed in
            LeaseOperation.renew(RenewOrder(planned: claimed.lease, salt: SystemSource.randomUInt32()))
        }
        let results = try store.commit(orders) { _, lease in authority.judge(lease) }
        var outcome = Outcome()
        for (claimed, result) in zip(claims, results) {
            switch result {
            case .granted(let lease), .repeated(let lease): outcome.granted.append(lease)
            case .refused(.denied(let error)):
                noteRefusal(of: claimed, error, now: now)
                outcome.postponed.append(postpone(claimed, now: now, reason: error.code.rawValue))
            case .refused(.rejectedByStore):
                outcome.postponed.append(postpone(claimed, now: now, reason: ErrorCode.rejectedByStore.rawValue))
            case .refused, .cancelled, .ended: outcome.movedOn += 1
            }
        }
        return outcome
    }

    /// Writes a refusal down for the audit, once for each renewal: what is tried again is refused again.
    ///
    /// Nothing leaves the worker, so that a line that cannot be written holds nothing up.
    private func noteRefusal(of claimed: ClaimedLease, _ error: MessageError, now: Int64) {
        guard tries(of: claimed) == 0 else { return }
        _ = record([(claimed.lease, .error(error))], now: now)
    }

    /// How often a deed was in vain so far.
    private func tries(of claimed: ClaimedLease) -> UInt32 {
        claimed.lease.schedule.steps[claimed.step].leads.first ?? 0
    }

    /// The message that takes a token to its lease's queue.
    ///
    /// - Throws: `MessageError` when the token cannot be signed.
    func token(of lease: Lease, now: Int64) throws(MessageError) -> TokenPublication.Message {
        guard let plan = lease.renewal, let address = plan.order.replyTo else {
            throw MessageError(.internal, "the lease has lost the order for its renewals")
        }
        let reply = try authority.reply(lease)
        let id = RequestKey(key: .plannedRenewal(of: lease.key, generation: lease.generation), isUnnamed: false)
        let properties = ReplyProperties(
            reply, correlationID: plan.correlationID, messageID: id.replyID(generation: lease.generation),
            timestamp: UInt64(clamping: now / 1000), trace: lease.trace)
        return TokenPublication.Message(reply: reply, properties: properties, address: address)
    }

    /// Writes tokens down for the audit; whether they may be published.
    func record(_ tokens: [(lease: Lease, reply: Reply)], now: Int64) -> Bool {
        do throws(AuditTrail.Failure) {
            try authority.record(tokens, at: now)
            return true
        } catch {
            return false
        }
    }

    /// Puts a deed off, each time for twice as long, until the token has run out.
    func postpone(_ claimed: ClaimedLease, now: Int64, reason: String) -> Postponement {
        let tries = tries(of: claimed)
        let pause = tries < 5 ? 1 << tries : Self.longestPause
        let moment = min(UInt32(clamping: now / 1000 + Int64(pause)), claimed.lease.expiresAt)
        return Postponement(
            lease: claimed.lease, mark: StepMark(claimed, postponedTo: moment), reason: reason)
    }

    /// Why a renewal is not done, as far as policy has a reason.
    func refusal(_ lease: Lease) -> String? {
        if case .denied(let error) = authority.judge(lease) { error.code.rawValue } else { nil }
    }
}
