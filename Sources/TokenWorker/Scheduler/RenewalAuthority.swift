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
}

/// The policy and the certificates that messages are answered by.
struct IssuingAuthority: RenewalAuthority {
    let planner: MessagePlanner
    let composer: ReplyComposer

    func judge(_ lease: Lease) -> Judgement {
        planner.judge(
            lease, for: Order(operation: .renew(RenewOrder(planned: lease, salt: 0)), caller: lease.caller))
    }

    func reply(_ lease: Lease) throws(MessageError) -> Reply {
        let reply = composer.renewal(lease)
        if case .error(let error) = reply { throw error }
        return reply
    }
}
