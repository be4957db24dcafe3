// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import TokenMessages

/// What renewals by the worker need of the rest of it: policy and certificates.
protocol RenewalAuthority: Sendable {
    /// What policy says of a generation that the store is about to write.
    func judge(_ lease: Lease) -> Judgement

    /// The reply with the token of a lease, signed.
    ///
    /// - Throws: `MessageError` when it cannot be signed.
    func reply(_ lease: Lease) throws(MessageError) -> Reply

    /// Writes down what is about to be published, or was refused.
    ///
    /// - Parameters:
    ///   - deeds: what was done or refused to which leases.
    ///   - now: the store's clock in milliseconds since 1970.
    /// - Throws: `AuditTrail.Failure` when that cannot be; then it must not be published.
    func record(_ deeds: [(lease: Lease, reply: Reply)], at now: Int64) throws(AuditTrail.Failure)
}

extension RenewalAuthority {
    /// Nobody keeps books.
    func record(_ deeds: [(lease: Lease, reply: Reply)], at now: Int64) throws(AuditTrail.Failure) {}
}

/// The policy and the certificates that messages are answered by.
struct IssuingAuthority: RenewalAuthority {
    /// What answers messages; the policy in force is asked at the moment of each renewal.
    let issuer: Replaceable<Issuer>
    var audit: AuditTrail?

    func judge(_ lease: Lease) -> Judgement {
        let issuer = issuer.current
        return issuer.planner.under(issuer.policies.current).judge(
            lease, for: Order(operation: .renew(RenewOrder(planned: lease, salt: 0)), caller: lease.caller))
    }

    func reply(_ lease: Lease) throws(MessageError) -> Reply {
        let reply = issuer.current.composer.renewal(lease)
        if case .error(let error) = reply { throw error }
        return reply
    }

    func record(_ deeds: [(lease: Lease, reply: Reply)], at now: Int64) throws(AuditTrail.Failure) {
        guard let audit else { return }
        var lines = AuditLines(milliseconds: now, policy: issuer.current.policies.current)
        for deed in deeds { lines.add(deed.reply, .init(deed.lease)) }
        try audit.write(lines.bytes)
    }
}
