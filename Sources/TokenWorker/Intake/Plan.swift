// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken
internal import LeaseStore
internal import TokenMessages

/// What one message comes to, as far as it can be said without the store.
indirect enum Plan: Sendable {
    /// The store decides.
    case commit(Order, RequestKey)
    /// A token without a lease.
    case sign(LooseToken, RequestKey)
    /// One reply to several items; none of these plans is a dead letter or again several.
    case several([Plan], RequestKey)
    /// A reply that is ready.
    case answer(Reply, RequestKey)
    /// An error reply.
    case refuse(MessageError, RequestKey?)
    /// Nobody can be answered.
    case deadLetter(MessageError)
}

extension Plan {
    /// How the message is known again; `nil` where that was not found out.
    var key: RequestKey? {
        switch self {
        case .commit(_, let key), .sign(_, let key), .several(_, let key), .answer(_, let key): key
        case .refuse(_, let key): key
        case .deadLetter: nil
        }
    }

    /// Adds what the store decides, in order.
    func append(to orders: inout [Order]) {
        switch self {
        case .commit(let order, _): orders.append(order)
        case .several(let plans, _): for plan in plans { plan.append(to: &orders) }
        case .sign, .answer, .refuse, .deadLetter: break
        }
    }
}

/// What the store is asked to do, and what has to be true of the lease that it finds.
struct Order: Sendable {
    let operation: LeaseOperation
    /// Who asks.
    let caller: Caller
    /// The token of version 006 by which the lease is meant: only with the lease's channel and user can its signature
    /// be checked.
    var proof: ParsedLegacyToken?
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
    /// The leads that a lease would have; for a dry run only.
    var leads = Leads(applied: [])
    /// Whether everything is done but the signature.
    var isDryRun = false
}
