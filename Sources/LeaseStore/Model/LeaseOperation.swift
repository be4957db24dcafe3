// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

/// One change that a message asks for.
package indirect enum LeaseOperation: Sendable, Hashable {
    case issue(IssueOrder)
    case renew(RenewOrder)
    case cancel(CancelOrder)
    case end(EndOrder)
}

/// A request: a new lease, or a new generation of the one with this key.
package struct IssueOrder: Sendable, Hashable {
    /// The key of the row.
    package var key: Key
    /// The caller's own lease id; `nil` for a generated one.
    package var ownID: String?
    /// Who asks, and owns the lease.
    package var caller: Caller
    /// What is signed.
    package var grant: Grant
    /// The leads asked for, in seconds before the end; empty for `expired` only.
    package var leads: [UInt32]
    /// What recognises a repeat.
    package var request: RequestMark
    /// The token's salt.
    package var salt: UInt32
    /// Whether the row needs a token key, because its key does not follow from the token's identity.
    package var needsTokenKey: Bool
    /// The fingerprint of the certificate that will sign.
    package var certificate: String
    /// The trace that the request came with.
    package var trace: TraceContext?
    /// How the worker is to renew the lease by itself; `nil` where it is not.
    package var renewal: RenewalPlan?

    /// Orders a lease.
    package init(
        key: Key, ownID: String?, caller: Caller, grant: Grant, leads: [UInt32], request: RequestMark, salt: UInt32,
        needsTokenKey: Bool, certificate: String, trace: TraceContext? = nil, renewal: RenewalPlan? = nil
    ) {
        self.key = key
        self.ownID = ownID
        self.caller = caller
        self.grant = grant
        self.leads = leads
        self.request = request
        self.salt = salt
        self.needsTokenKey = needsTokenKey
        self.certificate = certificate
        self.trace = trace
        self.renewal = renewal
    }
}

/// A renewal: the next generation of a live lease, with the same identity and privileges.
package struct RenewOrder: Sendable, Hashable {
    /// Which lease.
    package var locator: LeaseLocator
    /// The new lifetime in seconds; `nil` for the predecessor's.
    package var expire: UInt32?
    /// The new leads in seconds; `nil` for the predecessor's.
    package var leads: [UInt32]?
    /// What recognises a repeat.
    package var request: RequestMark
    /// The token's salt.
    package var salt: UInt32
    /// The trace that the renewal came with.
    package var trace: TraceContext?
    /// Whether the worker does it by the lease's own plan, and has to send the token.
    package var isPlanned = false

    /// Orders a renewal.
    package init(
        locator: LeaseLocator, expire: UInt32?, leads: [UInt32]?, request: RequestMark, salt: UInt32,
        trace: TraceContext? = nil
    ) {
        self.locator = locator
        self.expire = expire
        self.leads = leads
        self.request = request
        self.salt = salt
        self.trace = trace
    }
}

extension RenewOrder {
    /// The renewal that a lease's plan asks for; policy and plan are asked again when it is carried out.
    package init(planned lease: Lease, salt: UInt32) {
        let mark = Key.plannedRenewal(of: lease.key, generation: lease.generation)
        self.init(
            locator: LeaseLocator(target: .key(lease.key), caller: lease.caller, generation: lease.generation),
            expire: nil, leads: nil, request: RequestMark(id: mark, body: mark, isCompared: true), salt: salt)
        isPlanned = true
    }
}

/// A cancellation: no more notices and no renewal, until the token itself has run out.
package struct CancelOrder: Sendable, Hashable {
    /// Which lease.
    package var locator: LeaseLocator
    /// What recognises a repeat.
    package var request: RequestMark

    /// Orders a cancellation.
    package init(locator: LeaseLocator, request: RequestMark) {
        self.locator = locator
        self.request = request
    }
}

/// The end of a lease whose reply reached nobody.
///
/// A later generation is left alone.
package struct EndOrder: Sendable, Hashable {
    /// The key of the row.
    package var key: Key
    /// The generation whose reply it was.
    package var generation: Int64

    /// Orders an end.
    package init(key: Key, generation: Int64) {
        self.key = key
        self.generation = generation
    }
}
