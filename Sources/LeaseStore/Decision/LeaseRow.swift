// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// A row of the lease table, as the decisions read and write it.
struct LeaseRow: Sendable {
    var key: Key
    var generation: Int64
    var ownID: String?
    var caller: Caller
    var issuedAt: UInt32
    var expiresAt: UInt32
    var salt: UInt32
    var grant: StoredGrant
    var leads: [UInt32]
    var schedule: Schedule
    var step = 0
    var dueAt: Int64
    var isCancelled = false
    var history: RequestHistory
    var tokenKey: Key?
    /// The token key before this one: a repeated renewal still names its lease by the token that it replaced.
    var previousTokenKey: Key?
    var certificate: String
    var trace: TraceContext?
    var renewal: RenewalPlan?

    /// The lease that this row holds.
    ///
    /// - Throws: `StoreError.rejected` when the row holds a grant that this program cannot read.
    func lease() throws(StoreError) -> Lease {
        Lease(
            key: key, id: LeaseID.text(key: key, own: ownID), caller: caller, generation: generation,
            issuedAt: issuedAt, expiresAt: expiresAt, salt: salt, grant: try grant.value(), leads: leads,
            schedule: schedule, certificate: certificate, trace: trace, renewal: renewal,
            isCancelled: isCancelled)
    }
}

/// A grant as the row has it: read only when it is needed, as a request that replaces a lease does not.
enum StoredGrant: Sendable {
    case grant(Grant)
    case encoded([UInt8])

    /// The grant itself.
    ///
    /// - Throws: `StoreError.rejected` when the bytes are not a grant.
    func value() throws(StoreError) -> Grant {
        switch self {
        case .grant(let grant): return grant
        case .encoded(let bytes):
            guard let grant = Grant(encoded: bytes) else {
                throw .rejected("a lease holds a grant that cannot be read")
            }
            return grant
        }
    }

    /// What the row holds.
    var bytes: [UInt8] {
        switch self {
        case .grant(let grant): grant.encoded
        case .encoded(let bytes): bytes
        }
    }
}
