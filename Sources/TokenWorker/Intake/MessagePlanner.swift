// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import AgoraToken
internal import LeaseStore
internal import TokenMessages

/// Reads messages and says what each comes to, without I/O.
struct MessagePlanner: Sendable {
    /// The default of ``deliveryLimit``.
    static let standardDeliveryLimit: Int64 = 20

    let projects: Projects
    /// The policy of the batch.
    private(set) var policy: Policy
    /// Where replies may go.
    let replyAddress: ReplyAddress
    /// Where replies may go when direct reply-to is allowed.
    let directReplyAddress: ReplyAddress
    /// Seconds that a token lives where the request does not say.
    let defaultLifetime: UInt32
    /// Seconds before expiry of the notices where the request does not say.
    let defaultLeads: [UInt32]
    /// Whether there is a store for leases.
    let hasStore: Bool
    /// How often a message may be delivered before it counts as one that kills its workers.
    var deliveryLimit = MessagePlanner.standardDeliveryLimit
    /// What is left of the callers' rates.
    var limiter = RateLimiter()

    /// The planner by another policy.
    func under(_ policy: Policy) -> MessagePlanner {
        var planner = self
        planner.policy = policy
        return planner
    }

    /// Plans one message.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - circumstances: when, and under which conditions.
    /// - Returns: what it comes to.
    func plan(_ message: IncomingMessage, _ circumstances: Circumstances) -> Plan {
        if message.delivery.earlierDeliveries >= deliveryLimit {
            return .deadLetter(
                MessageError(
                    .deliveryLimit, "delivered \(message.delivery.earlierDeliveries) times before without an answer"))
        }
        let body: [UInt8]
        switch message.delivery.body {
        case .bytes(let bytes): body = bytes
        case .tooLarge(let size):
            return .deadLetter(
                MessageError(
                    .messageTooLarge, "the body has \(size) bytes, more than the limit; it is left out here"))
        }
        if let fault = replyFault(message, circumstances) { return .deadLetter(fault) }
        let key = RequestKey(message.properties, body: body)
        do throws(MessageError) {
            if let refusal = policy.refusal(of: message.caller) { throw refusal }
            try message.properties.check()
            try message.properties.checkDeadline(now: circumstances.now)
            let origin = Origin(message, key, body, circumstances, isRemembered: hasStore)
            switch message.properties.kind {
            case .request where message.properties.isExplanation:
                return try explanation(ExplainRequest.decode(body), origin)
            case .request: return try plan(MessageBody<TokenRequest>(body), origin)
            case .renew: return try plan(MessageBody<RenewRequest>(body), origin)
            case .cancel: return try plan(MessageBody<CancelRequest>(body), origin)
            }
        } catch {
            return message.properties.replyTo == nil ? .deadLetter(error) : .refuse(error, key)
        }
    }

    /// Plans the one item of a body, or each of its list.
    private func plan(
        _ body: consuming MessageBody<some PlannedItem>, _ origin: Origin
    ) throws(MessageError) -> Plan {
        switch consume body {
        case .single(let item): return try item.plan(by: self, origin)
        case .list(let items):
            var plans: [Plan] = []
            plans.reserveCapacity(items.count)
            for (position, item) in items.enumerated() {
                let origin = origin.item(position)
                do throws(MessageError) {
                    plans.append(try item.get().plan(by: self, origin))
                } catch {
                    plans.append(.refuse(error, origin.key))
                }
            }
            return .several(plans, origin.key)
        }
    }

    /// Why there is nowhere to reply to; a cancellation needs no reply.
    private func replyFault(_ message: IncomingMessage, _ circumstances: Circumstances) -> MessageError? {
        if message.properties.replyTo == nil, message.properties.kind == .cancel { return nil }
        do throws(MessageError) {
            let rule = circumstances.allowsDirectReply ? directReplyAddress : replyAddress
            _ = try limited(rule, to: message.properties.userID).check(message.properties.replyTo)
            return nil
        } catch {
            return error
        }
    }

    /// Where replies to a user may go, as far as the policy limits it.
    func limited(_ rule: ReplyAddress, to userID: String?) -> ReplyAddress {
        policy.ownReplyQueues ? rule.limited(to: userID) : rule
    }

    fileprivate func request(_ request: TokenRequest, _ origin: Origin) throws(MessageError) -> Plan {
        let project = try project(request.appID)
        let rule = policy.rule(for: origin.caller, appID: project.name, scope: request.scope)
        let grant = try Grant(
            request, appID: project.name,
            defaultLifetime: min(defaultLifetime, rule?.allowance?.longestLifetime ?? .max))
        try allow(policy.decide(origin.caller, grant, by: rule), grant, origin)
        let renewal = try renewal(request, origin)
        let salt = SystemSource.randomUInt32()
        guard hasStore, request.notify != .none, !request.isDryRun else {
            let warnings =
                hasStore || request.notify == .none ? [] : ["this worker keeps no leases: no notices will come"]
            let wanted = hasStore && request.notify != .none ? leads(request.notify) ?? defaultLeads : []
            return .sign(
                LooseToken(
                    grant: grant, issuedAt: Self.seconds(origin.now), salt: salt, project: project, isRenewal: false,
                    warnings: warnings, leads: Leads(wanted, lifetime: grant.duration),
                    isDryRun: request.isDryRun), origin.key)
        }
        let isWildcard = grant.scope.isWildcard
        let row: Key =
            if let own = request.leaseID {
                .lease(caller: origin.caller, leaseID: own)
            } else if isWildcard {
                .wildcardLease(caller: origin.caller, request: origin.key.key)
            } else {
                .lease(caller: origin.caller, appID: project.name, scope: grant.scope)
            }
        let order = LeaseOperation.issue(
            IssueOrder(
                key: row, ownID: request.leaseID, caller: origin.caller, grant: grant,
                leads: leads(request.notify) ?? defaultLeads, request: origin.mark, salt: salt,
                needsTokenKey: grant.needsTokenKey || request.leaseID != nil, certificate: project.fingerprint,
                trace: origin.trace, renewal: renewal))
        return .commit(Order(operation: order, caller: origin.caller), origin.key)
    }

    /// Lets a decision of the policy and the rate of its rule stand in the way.
    func allow(_ decision: Policy.Decision, _ grant: Grant, _ origin: Origin) throws(MessageError) {
        if let refusal = decision.refusal { throw refusal }
        if let refusal = Policy.charge(origin.caller, decision.rule, grant, limiter, at: origin.now) { throw refusal }
    }

    private func project(_ appID: String?) throws(MessageError) -> Project {
        if let project = projects.project(appID) { return project }
        throw MessageError(
            .unknownProject,
            appID == nil
                ? "there is no default project; appId must name one" : "the project of appId is not configured here",
            field: "appId")
    }

    /// The leads that are asked for, or `nil` where the message leaves them open.
    func leads(_ notify: NotifyOption) -> [UInt32]? {
        if case .before(let leads) = notify { leads } else { nil }
    }

    static func seconds(_ milliseconds: Int64) -> UInt32 { UInt32(truncatingIfNeeded: milliseconds / 1000) }
}

/// A message, or an item of one, as the planner plans it.
private protocol PlannedItem: MessageItem {
    func plan(by planner: MessagePlanner, _ origin: Origin) throws(MessageError) -> Plan
}

extension TokenRequest: PlannedItem {
    fileprivate func plan(by planner: MessagePlanner, _ origin: Origin) throws(MessageError) -> Plan {
        try planner.request(self, origin)
    }
}

extension RenewRequest: PlannedItem {
    fileprivate func plan(by planner: MessagePlanner, _ origin: Origin) throws(MessageError) -> Plan {
        try planner.renewal(self, origin)
    }
}

extension CancelRequest: PlannedItem {
    fileprivate func plan(by planner: MessagePlanner, _ origin: Origin) throws(MessageError) -> Plan {
        try planner.cancellation(self, origin)
    }
}
