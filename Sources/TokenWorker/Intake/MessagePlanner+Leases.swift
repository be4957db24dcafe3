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
        let (locator, proof) = try locator(renewal.lease, origin.caller, generation: renewal.generation)
        let order = RenewOrder(
            locator: locator, expire: renewal.expire, leads: leads(renewal.notify), request: origin.mark,
            salt: SystemSource.randomUInt32(), trace: origin.trace)
        return .commit(Order(operation: .renew(order), caller: origin.caller, proof: proof), origin.key)
    }

    /// Plans a cancellation.
    func cancellation(_ cancellation: CancelRequest, _ origin: Origin) throws(MessageError) -> Plan {
        guard hasStore else { throw Self.noLeases }
        let (locator, proof) = try locator(cancellation.lease, origin.caller)
        let order = CancelOrder(locator: locator, request: origin.mark)
        return .commit(Order(operation: .cancel(order), caller: origin.caller, proof: proof), origin.key)
    }

    /// What policy and configuration say of a generation that the store is about to write.
    ///
    /// - Parameters:
    ///   - lease: the generation.
    ///   - order: what is asked for.
    ///   - charge: when it is asked for in milliseconds since 1970, and its place in the batch, if the rate of its caller
    ///     counts it.
    /// - Returns: whether it may be.
    func judge(_ lease: Lease, for order: Order, charge: (now: Int64, item: Int)? = nil) -> Judgement {
        guard let project = projects.project(lease.grant.appID) else {
            return .denied(
                MessageError(.unknownProject, "the project of the lease is no longer configured here"))
        }
        if let proof = order.proof,
            !project.hasCertificate(where: { lease.grant.isProved(by: proof, certificate: $0) })
        {
            return .denied(Self.wrongSignature)
        }
        let isRenewal = if case .renew = order.operation { true } else { false }
        let decision = policy.decide(
            order.caller, lease.grant, for: isRenewal ? .sign : .cancel, owner: lease.caller)
        if let refusal = decision.refusal { return .denied(refusal) }
        if isRenewal, let charge,
            let refusal = Policy.charge(
                order.caller, decision.rule, lease.grant, limiter, at: charge.now, item: charge.item)
        {
            return .denied(refusal)
        }
        return .allowed(certificate: project.fingerprint)
    }

    /// Without a store a token is renewed by its signature and policy alone.
    private func looseRenewal(_ renewal: RenewRequest, _ origin: Origin) throws(MessageError) -> Plan {
        guard case .token(let text) = renewal.lease else { throw Self.noLeases }
        if try legacy(text) != nil {
            throw MessageError(
                .leaseNotFound,
                "a token of version 006 does not tell its channel and user; without leases it cannot be renewed",
                field: "token")
        }
        let (token, project, old) = try verified(text)
        let second = Self.seconds(origin.now)
        guard old.end(issuedAt: token.issuedAt) > second else {
            throw MessageError(.tokenExpired, "the token has run out; request a new one", field: "token")
        }
        let rule = RenewalRule(renewing: old, issuedAt: token.issuedAt, at: second, expire: renewal.expire)
        try allow(policy.decide(origin.caller, rule.grant), rule.grant, origin)
        return .sign(
            LooseToken(
                grant: rule.grant, issuedAt: second, salt: SystemSource.randomUInt32(), project: project,
                isRenewal: true, warnings: rule.warnings), origin.key)
    }

    /// Where the lease of a message is to be found.
    private func locator(
        _ reference: LeaseReference, _ caller: Caller, generation: Int64? = nil
    ) throws(MessageError) -> (LeaseLocator, proof: ParsedLegacyToken?) {
        let target: LeaseLocator.Target
        var proof: ParsedLegacyToken?
        var tokenEndsAt: UInt32?
        switch reference {
        case .leaseID(let id):
            guard let key = LeaseID.key(id, caller: caller) else {
                throw MessageError(.leaseNotFound, "there is no lease of this id", field: "leaseId")
            }
            target = .key(key)
        case .token(let text):
            if let legacy = try legacy(text) {
                proof = legacy
                let issuedAt = Grant.issueTime(legacy)
                target = .token(
                    key: nil,
                    tokenKey: .legacyToken(
                        appID: legacy.appID.description, issuedAt: issuedAt, salt: legacy.salt),
                    issuedAt: issuedAt, salt: legacy.salt)
                tokenEndsAt = Grant.end(legacy)
                break
            }
            let (token, project, grant) = try verified(text)
            target = .token(
                key: grant.scope.isWildcard
                    ? nil : .lease(caller: caller, appID: project.name, scope: grant.scope),
                tokenKey: .token(
                    appID: project.name, issuedAt: token.issuedAt, salt: token.salt, scope: grant.scope),
                issuedAt: token.issuedAt, salt: token.salt)
            tokenEndsAt = grant.end(issuedAt: token.issuedAt)
        }
        let locator = LeaseLocator(
            target: target, caller: caller, anyCaller: policy.allowsLeasesOfOthers(caller), generation: generation,
            tokenEndsAt: tokenEndsAt)
        return (locator, proof)
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
        guard project.hasCertificate(where: { token.isSigned(by: $0) }) else { throw Self.wrongSignature }
        return (token, project, try Grant(token))
    }

    /// Reads a token of version 006; nil if it is of another.
    private func legacy(_ text: String) throws(MessageError) -> ParsedLegacyToken? {
        guard (try? TokenVersion(text)) == .legacy else { return nil }
        do {
            return try LegacyToken.parse(text)
        } catch {
            throw MessageError(.tokenMalformed, "\(error)", field: "token")
        }
    }

    private static let wrongSignature = MessageError(
        .tokenSignatureInvalid, "the token is not signed by a certificate that is configured here", field: "token")

    private static let noLeases = MessageError(
        .leaseNotFound, "this worker keeps no leases; without them only a token can be renewed")
}
