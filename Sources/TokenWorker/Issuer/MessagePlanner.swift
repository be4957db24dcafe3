// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import AgoraToken
internal import LeaseStore
internal import TokenMessages

/// Reads messages and says what each comes to, without I/O.
struct MessagePlanner: Sendable {
    /// How often a message may be delivered before it counts as one that kills its workers.
    static let deliveryLimit: Int64 = 20

    let projects: Projects
    let policy: Policy
    let replyAddress: ReplyAddress
    /// Seconds that a token lives where the request does not say.
    let defaultLifetime: UInt32
    /// Seconds before expiry of the notices where the request does not say.
    let defaultLeads: [UInt32]
    /// Whether there is a store for leases.
    let hasStore: Bool

    /// Plans one message.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - now: the machine's clock in milliseconds since 1970.
    /// - Returns: what it comes to.
    func plan(_ message: IncomingMessage, now: Int64) -> Plan {
        if message.earlierDeliveries >= Self.deliveryLimit {
            return .deadLetter(
                MessageError(
                    .deliveryLimit, "delivered \(message.earlierDeliveries) times before without an answer"))
        }
        let body: [UInt8]
        switch message.delivery.body {
        case .bytes(let bytes): body = bytes
        case .tooLarge(let size):
            return .deadLetter(MessageError(.messageTooLarge, "the body has \(size) bytes, more than the limit"))
        }
        if let fault = replyFault(message) { return .deadLetter(fault) }
        let key = RequestKey(message.properties, body: body)
        do throws(MessageError) {
            try message.properties.check()
            try message.properties.checkDeadline(now: now)
            switch message.properties.kind {
            case .request: return try request(TokenRequest.decode(body), message, key, body, now)
            case .renew: return try renewal(RenewRequest.decode(body), message, key, body, now)
            case .cancel: return try cancellation(CancelRequest.decode(body), message, key, body, now)
            }
        } catch {
            return message.properties.replyTo == nil ? .deadLetter(error) : .refuse(error, key)
        }
    }

    /// Why there is nowhere to reply to; a cancellation needs no reply.
    private func replyFault(_ message: IncomingMessage) -> MessageError? {
        if message.properties.replyTo == nil, message.properties.kind == .cancel { return nil }
        do throws(MessageError) {
            _ = try replyAddress.check(message.properties.replyTo)
            return nil
        } catch {
            return error
        }
    }

    private func request(
        _ request: TokenRequest, _ message: IncomingMessage, _ key: RequestKey, _ body: [UInt8], _ now: Int64
    ) throws(MessageError) -> Plan {
        let project = try project(request.appID)
        let grant = try Grant(request, appID: project.name, defaultLifetime: defaultLifetime)
        if let refusal = policy.refusal(message.caller, grant) { throw refusal }
        let salt = SystemSource.randomUInt32()
        guard hasStore, request.notify != .none else {
            let warnings =
                hasStore || request.notify == .none ? [] : ["this worker keeps no leases: no notices will come"]
            return .sign(
                LooseToken(
                    grant: grant, issuedAt: Self.seconds(now), salt: salt, project: project, isRenewal: false,
                    warnings: warnings), key)
        }
        let isWildcard = grant.scope.isWildcard
        let row: Key =
            if let own = request.leaseID {
                .lease(caller: message.caller, leaseID: own)
            } else if isWildcard {
                .wildcardLease(caller: message.caller, request: key.key)
            } else {
                .lease(caller: message.caller, appID: project.name, scope: grant.scope)
            }
        return .commit(
            .issue(
                IssueOrder(
                    key: row, ownID: request.leaseID, caller: message.caller, grant: grant,
                    leads: leads(request.notify) ?? defaultLeads, request: mark(key, message, body), salt: salt,
                    needsTokenKey: isWildcard || request.leaseID != nil, certificate: project.fingerprint,
                    trace: message.properties.trace)), key)
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

    /// What recognises a repeat of the message.
    func mark(_ key: RequestKey, _ message: IncomingMessage, _ body: [UInt8]) -> RequestMark {
        RequestMark(
            id: key.key, body: .body(body), isCompared: !key.isUnnamed || message.delivery.isRedelivered)
    }

    static func seconds(_ milliseconds: Int64) -> UInt32 { UInt32(truncatingIfNeeded: milliseconds / 1000) }
}
