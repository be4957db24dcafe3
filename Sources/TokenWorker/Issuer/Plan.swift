// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken
internal import LeaseStore
internal import TokenMessages

/// What one message comes to, as far as it can be said without the store.
enum Plan: Sendable {
    /// The store decides.
    case commit(LeaseOperation, RequestKey)
    /// A token without a lease.
    case sign(LooseToken, RequestKey)
    /// One reply to several items; none of these plans is a dead letter or again several.
    case several([Plan], RequestKey)
    /// An error reply.
    case refuse(MessageError, RequestKey?)
    /// Nobody can be answered.
    case deadLetter(MessageError)
}

extension Plan {
    /// What the store decides, in order.
    var operations: [LeaseOperation] {
        switch self {
        case .commit(let operation, _): [operation]
        case .several(let plans, _): plans.flatMap(\.operations)
        case .sign, .refuse, .deadLetter: []
        }
    }
}

/// A token that no lease stands for, before it is signed.
struct LooseToken: Sendable {
    let grant: Grant
    let issuedAt: UInt32
    let salt: UInt32
    let project: Project
    /// Whether it answers a renewal.
    let isRenewal: Bool
    let warnings: [String]
}
