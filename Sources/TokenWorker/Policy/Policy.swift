// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

/// Who may have which tokens.
///
/// It is asked about what is signed, at every signature, not about what a message claims. The first rule that is for a
/// caller and a token decides about it, and those after that are not looked at; a token that no rule is for is refused.
package struct Policy: Sendable, Hashable {
    /// Allows everything for the configured projects; leases stay with their callers.
    package static let everything = Policy()

    /// Whether only callers get anything whose user the broker has checked.
    var requiresUser = false
    /// Whether replies that do not go to a queue named by the broker go to `reply.<user>.…` only.
    var ownReplyQueues = false
    /// The rules in their order; nil where nothing is limited by rules.
    var rules: [PolicyRule]?

    /// One clause about how much is limited, for people.
    package var summary: String {
        let callers = requiresUser ? "users of the broker only" : "any caller"
        return switch rules?.count {
        case nil: "no policy, \(callers)"
        case 1?: "1 rule, \(callers)"
        case let count?: "\(count) rules, \(callers)"
        }
    }

    /// Whether anything is refused at all.
    var isLimiting: Bool { requiresUser || rules != nil }

    /// Whether a rule asks for the project.
    var namesProjects: Bool {
        rules?.contains { $0.subject.appIDs != nil || $0.allowance?.appIDs != nil } ?? false
    }

    /// What the policy says of a use of a token.
    struct Decision: Sendable, Hashable {
        /// The rule that decided; nil where there was none.
        var rule: PolicyRule?
        /// Why not; nil where it is allowed.
        var refusal: MessageError?
    }

    /// The first rule that is for a token of a caller.
    func rule(for caller: Caller, appID: String, scope: TokenScope) -> PolicyRule? {
        guard let rules, !rules.isEmpty else { return nil }
        let name = CallerName(caller)
        // By their places: a rule is large, and only the one that decides is worth a copy.
        let place = rules.indices.first { rules[$0].subject.mismatch(name, appID: appID, scope: scope) == nil }
        return place.map { rules[$0] }
    }

    /// Decides about a use of a token.
    ///
    /// - Parameters:
    ///   - caller: who asks.
    ///   - grant: what is signed, or what the lease or the token is good for.
    ///   - use: what for.
    ///   - owner: whose lease it is; nil where it is the caller's, or where there is none.
    /// - Returns: whether it may be, and by which rule; rates are not counted here.
    func decide(_ caller: Caller, _ grant: Grant, for use: PolicyUse = .sign, owner: Caller? = nil) -> Decision {
        decide(
            caller, grant, by: rule(for: caller, appID: grant.appID, scope: grant.scope), for: use, owner: owner)
    }

    /// As ``decide(_:_:for:owner:)``, where it is known that `rule` is the one that decides.
    func decide(
        _ caller: Caller, _ grant: Grant, by rule: PolicyRule?, for use: PolicyUse = .sign, owner: Caller? = nil
    ) -> Decision {
        if let refusal = refusal(of: caller) { return Decision(rule: nil, refusal: refusal) }
        guard rules != nil else { return Decision(rule: nil, refusal: nil) }
        guard let rule else { return Decision(rule: nil, refusal: Self.unknown(caller, grant)) }
        guard owner == nil || owner == caller || rule.allowance?.anyLeases == true else {
            // The rule that let the caller look for it is for other leases than this one.
            return Decision(rule: rule, refusal: Self.notFound)
        }
        guard let excess = rule.excess(grant, for: use) else { return Decision(rule: rule, refusal: nil) }
        var refusal = MessageError(
            .policyDenied, "rule \"\(rule.name)\" does not allow \(excess) to \(caller.text)")
        refusal.denial = Denial(rule: rule.name, grant: grant)
        return Decision(rule: rule, refusal: refusal)
    }

    /// Why a caller gets nothing, whatever it asks for; nil where that depends.
    func refusal(of caller: Caller) -> MessageError? {
        guard requiresUser, !caller.text.hasPrefix("u-") else { return nil }
        return MessageError(
            .policyDenied, "the policy demands the property user_id, with the user that the sender is at the broker")
    }

    /// Whether `caller` may renew and cancel leases of others, as far as that can be said without the lease.
    func allowsLeasesOfOthers(_ caller: Caller) -> Bool {
        guard let rules, !rules.isEmpty else { return false }
        let name = CallerName(caller)
        return rules.contains { $0.allowance?.anyLeases == true && $0.subject.mismatch(name) == nil }
    }

    private static func unknown(_ caller: Caller, _ grant: Grant) -> MessageError {
        var refusal = MessageError(
            .policyDenied,
            "no rule of the policy is for \(grant.scope.service.rawValue) tokens like this of \(caller.text)")
        refusal.denial = Denial(rule: nil, grant: grant)
        return refusal
    }

    private static let notFound = MessageError(.leaseNotFound, "there is no such lease")
}
