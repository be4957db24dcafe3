// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import LeaseStore
internal import TokenMessages

/// What a message, or an item of a batch, came to: the labels that it is counted under.
struct RequestOutcome: Sendable, Hashable {
    /// What was asked for.
    enum Kind: String, Sendable, CaseIterable {
        case request
        case renew
        case cancel
        case explain
    }

    let kind: Kind
    /// What the token is for; `nil` where that was not found out.
    var service: ServiceName?
    /// What was wrong; `nil` where all was well.
    var code: ErrorCode?
    /// Whether nobody could be answered.
    var isDead = false

    /// The label `outcome`.
    var outcome: String { isDead ? "dead_letter" : code == nil ? "ok" : "error" }
}

extension RequestOutcome {
    /// What a reply says.
    ///
    /// No initializer, since those take over what they are given: a copy of the whole reply for each token.
    ///
    /// - Parameters:
    ///   - reply: the reply; not one to a batch.
    ///   - kind: what was asked for.
    ///   - plan: what the message had come to before the store spoke.
    /// - Returns: the labels.
    static func of(_ reply: Reply, _ kind: Kind, _ plan: Plan) -> RequestOutcome {
        switch reply {
        case .issued(let token), .renewed(let token): RequestOutcome(kind: kind, service: token.scope.service)
        case .cancelled(let cancelled): RequestOutcome(kind: kind, service: cancelled.scope.service)
        case .explained, .batch: RequestOutcome(kind: kind)
        case .error(let error): RequestOutcome(kind: kind, service: plan.service, code: error.code)
        }
    }
}

extension RequestOutcome.Kind {
    /// What a message asks for.
    static func of(_ message: IncomingMessage) -> Self {
        switch message.properties.kind {
        case .request: message.properties.isExplanation ? .explain : .request
        case .renew: .renew
        case .cancel: .cancel
        }
    }
}

extension Plan {
    /// What the token would be for, as far as the message itself says so.
    fileprivate var service: ServiceName? {
        switch self {
        case .commit(let order, _):
            if case .issue(let issue) = order.operation { issue.grant.scope.service } else { nil }
        case .sign(let token, _): token.grant.scope.service
        case .several, .answer, .refuse, .deadLetter: nil
        }
    }
}
