// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

@testable import LeaseStore

/// A caller with orders to give: short forms of what the issuer makes out of messages.
struct Orders {
    static let appID = "970CA35de60c44645bbae8a215061b33"
    static let certificate = "0123456789abcdef"
    var caller = Caller(text: "u-alice")

    func grant(
        uid: UInt32 = 1234, channel: String = "room", expire: UInt32 = 3600, privileges: [Privilege: UInt32] = [:]
    ) -> Grant {
        let entries = Role.publisher.privileges(of: .rtc).map { PrivilegeTime($0, privileges[$0] ?? 0) }
        return Grant(
            appID: Self.appID, scope: TokenScope(service: .rtc, channelName: channel, user: .uid(uid)),
            lifetime: expire, privileges: PrivilegeTimes(entries))
    }

    /// The mark of a message, by its id and body.
    func mark(_ message: String, body: String = "", compared: Bool = true) -> RequestMark {
        RequestMark(id: Key.body(Array(message.utf8)), body: Key.body(Array(body.utf8)), isCompared: compared)
    }

    func key(_ grant: Grant, leaseID: String? = nil) -> Key {
        if let leaseID { return .lease(caller: caller, leaseID: leaseID) }
        return .lease(caller: caller, appID: grant.appID, scope: grant.scope)
    }

    func issue(
        _ message: String, _ grant: Grant, leads: [UInt32] = [30], leaseID: String? = nil, salt: UInt32 = 1,
        body: String = "", compared: Bool = true, trace: TraceContext? = nil
    ) -> LeaseOperation {
        .issue(
            IssueOrder(
                key: key(grant, leaseID: leaseID), ownID: leaseID, caller: caller, grant: grant, leads: leads,
                request: mark(message, body: body, compared: compared), salt: salt, needsTokenKey: leaseID != nil,
                certificate: Self.certificate, trace: trace))
    }

    func renew(
        _ message: String, _ target: LeaseLocator.Target, expire: UInt32? = nil, generation: Int64? = nil,
        leads: [UInt32]? = nil, salt: UInt32 = 2, body: String = "", anyCaller: Bool = false
    ) -> LeaseOperation {
        .renew(
            RenewOrder(
                locator: LeaseLocator(target: target, caller: caller, anyCaller: anyCaller, generation: generation),
                expire: expire, leads: leads, request: mark(message, body: body), salt: salt))
    }

    func cancel(_ message: String, _ target: LeaseLocator.Target, generation: Int64? = nil) -> LeaseOperation {
        .cancel(
            CancelOrder(
                locator: LeaseLocator(target: target, caller: caller, generation: generation), request: mark(message)))
    }

    /// How the token of a lease names it, seen by its caller.
    func token(of lease: Lease, byScope: Bool = true) -> LeaseLocator.Target {
        .token(
            key: byScope ? key(lease.grant) : nil,
            tokenKey: .token(
                appID: lease.grant.appID, issuedAt: lease.issuedAt, salt: lease.salt, scope: lease.grant.scope),
            issuedAt: lease.issuedAt, salt: lease.salt)
    }
}

extension LeaseResult {
    /// The lease that a new generation or its repeat gives.
    var lease: Lease? {
        switch self {
        case .granted(let lease), .repeated(let lease), .cancelled(let lease, _): lease
        case .ended, .refused: nil
        }
    }

    /// The lease of a new generation only.
    var granted: Lease? { if case .granted(let lease) = self { lease } else { nil } }

    /// The lease of a repeat only.
    var repeated: Lease? { if case .repeated(let lease) = self { lease } else { nil } }
}

extension LeaseStore {
    /// Carries out one operation.
    func commit(_ operation: LeaseOperation) throws -> LeaseResult {
        let results = try commit([operation])
        return results[0]
    }
}
