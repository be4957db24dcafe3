// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken
internal import LeaseStore
internal import TokenMessages

extension MessagePlanner {
    /// Plans a renewal.
    func renewal(_ renewal: RenewRequest, _ origin: Origin) throws(MessageError) -> Plan {
        guard renewal.notify != .none else {
            throw MessageError(
                .invalidNotify, "notify is false; a renewal keeps its lease, which notices belong to", field: "notify")
        }
        guard hasStore else { return try looseRenewal(renewal, origin) }
        return .commit(
            .renew(
                RenewOrder(
                    locator: try locator(renewal.lease, origin.caller, generation: renewal.generation),
                    expire: renewal.expire, leads: leads(renewal.notify), request: origin.mark,
                    salt: SystemSource.randomUInt32(), trace: origin.trace)), origin.key)
    }

    /// Plans a cancellation.
    func cancellation(_ cancellation: CancelRequest, _ origin: Origin) throws(MessageError) -> Plan {
        guard hasStore else { throw Self.noLeases }
        return .commit(
            .cancel(
                CancelOrder(
                    locator: try locator(cancellation.lease, origin.caller), request: origin.mark)), origin.key)
    }

    /// What policy and configuration say of a generation that the store is about to write.
    ///
    /// - Parameters:
    ///   - lease: the generation.
    ///   - caller: who asks for it.
    /// - Returns: whether it may be.
    func judge(_ lease: Lease, _ caller: Caller) -> Judgement {
        guard let project = projects.project(lease.grant.appID) else {
            return .denied(
                MessageError(.unknownProject, "the project of the lease is no longer configured here"))
        }
        if let refusal = policy.refusal(caller, lease.grant) { return .denied(refusal) }
        return .allowed(certificate: project.fingerprint)
    }

    /// Without a store a token is renewed by its signature and policy alone.
    private func looseRenewal(_ renewal: RenewRequest, _ origin: Origin) throws(MessageError) -> Plan {
        guard case .token(let text) = renewal.lease else { throw Self.noLeases }
        let (token, project, old) = try verified(text)
        let second = Self.seconds(origin.now)
        guard old.end(issuedAt: token.issuedAt) > second else {
            throw MessageError(.tokenExpired, "the token has run out; request a new one", field: "token")
        }
        let rule = RenewalRule(renewing: old, issuedAt: token.issuedAt, at: second, expire: renewal.expire)
        if let refusal = policy.refusal(origin.caller, rule.grant) { throw refusal }
        return .sign(
            LooseToken(
                grant: rule.grant, issuedAt: second, salt: SystemSource.randomUInt32(), project: project,
                isRenewal: true, warnings: rule.warnings), origin.key)
    }

    /// Where the lease of a message is to be found.
    private func locator(
        _ reference: LeaseReference, _ caller: Caller, generation: Int64? = nil
    ) throws(MessageError) -> LeaseLocator {
        let target: LeaseLocator.Target
        var tokenEndsAt: UInt32?
        switch reference {
        case .leaseID(let id):
            guard let key = LeaseID.key(id, caller: caller) else {
                throw MessageError(.leaseNotFound, "there is no lease of this id", field: "leaseId")
            }
            target = .key(key)
        case .token(let text):
            let (token, project, grant) = try verified(text)
            target = .token(
                key: grant.scope.isWildcard
                    ? nil : .lease(caller: caller, appID: project.name, scope: grant.scope),
                tokenKey: .token(
                    appID: project.name, issuedAt: token.issuedAt, salt: token.salt, scope: grant.scope),
                issuedAt: token.issuedAt, salt: token.salt)
            tokenEndsAt = grant.end(issuedAt: token.issuedAt)
        }
        return LeaseLocator(
            target: target, caller: caller, anyCaller: policy.allowsLeasesOfOthers(caller), generation: generation,
            tokenEndsAt: tokenEndsAt)
    }

    /// Reads a token and checks that a configured certificate signed it; says nothing about expiry.
    private func verified(_ text: String) throws(MessageError) -> (ParsedToken, Project, Grant) {
        let token: ParsedToken
        do {
            token = try AccessToken.parse(text)
        } catch {
            throw MessageError(.tokenMalformed, "\(error)", field: "token")
        }
        guard let project = projects.project(token.appID.description) else {
            throw MessageError(.unknownProject, "the project of the token is not configured here", field: "token")
        }
        guard token.isSigned(by: project.certificate) else {
            throw MessageError(
                .tokenSignatureInvalid, "the token is not signed by a certificate that is configured here",
                field: "token")
        }
        return (token, project, try Grant(token))
    }

    private static let noLeases = MessageError(
        .leaseNotFound, "this worker keeps no leases; without them only a token can be renewed")
}
