// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The body of a `token.issued` or `token.renewed`: a token and what it is good for.
public struct TokenReply: Sendable, Hashable {
    /// The token; empty in the reply to a dry run.
    public var token: String
    /// The lease; nil without one.
    public var leaseID: String?
    /// The number of this token of the lease: grows with each, below 2^53; nil without a lease.
    public var generation: Int64?
    /// The App ID of the project.
    public var appID: String
    /// Service, channel and user.
    public var scope: TokenScope
    /// The issue time in seconds since 1970.
    public var issuedAt: UInt32
    /// The end of the lease, of the token without one, in seconds since 1970: the first of the ends of the token and
    /// of the privileges without which the user is out.
    public var expiresAt: UInt32
    /// When to renew, in seconds since 1970.
    public var renewAfter: UInt32
    /// The leads of the notices as applied, in seconds before expiry.
    public var notifyBefore: [UInt32]
    /// The end of each privilege in seconds since 1970.
    public var privileges: [PrivilegeTime]
    /// Whether notices will come.
    public var isScheduled: Bool
    /// What was done otherwise than asked or should be known, in plain sentences.
    public var warnings: [String]

    /// Whether nothing was signed and no lease made, as the request asked.
    public var isDryRun = false

    /// Seconds from issue to expiry.
    public var expiresIn: UInt32 { expiresAt &- issuedAt }
}

extension TokenReply {
    /// Describes a signed token.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - grant: what it grants.
    ///   - issuedAt: its issue time in seconds since 1970.
    ///   - lease: id and generation of its lease; nil without one.
    ///   - leads: the leads of the lease.
    ///   - warnings: what to say beside the warnings of the grant and the leads.
    ///   - isDryRun: whether there is no token because none was asked for.
    package init(
        token: String, grant: Grant, issuedAt: UInt32, lease: (id: String, generation: Int64)?, leads: Leads,
        warnings: [String] = [], isDryRun: Bool = false
    ) {
        let end = grant.end(issuedAt: issuedAt)
        let hasLeads = lease != nil || isDryRun
        let leads = hasLeads ? leads : Leads(applied: [])
        // Without a notice before the end there is nothing to wait for: two thirds of the lifetime leave time enough.
        let renewAfter =
            leads.seconds.first.map { end - min($0, end - issuedAt) } ?? issuedAt
            + UInt32(UInt64(end - issuedAt) * 2 / 3)
        self.init(
            token: token, leaseID: lease?.id, generation: lease?.generation, appID: grant.appID, scope: grant.scope,
            issuedAt: issuedAt, expiresAt: end, renewAfter: renewAfter, notifyBefore: leads.seconds,
            privileges: grant.privileges(issuedAt: issuedAt), isScheduled: lease != nil,
            warnings: grant.warnings + leads.warnings + warnings, isDryRun: isDryRun)
    }
}
