// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What is to be said of the policy.
enum PolicyCheck {
    /// Looks for rules that decide about nothing.
    static func diagnoses(_ policy: Policy) -> [Diagnosis] {
        guard let rules = policy.rules else {
            let callers = policy.requiresUser ? "every user of the broker" : "every caller"
            return [
                Diagnosis(
                    .warn, .policy, "there are no rules: \(callers) may have every token of every project, uid 0 too",
                    advice: "write a policy, or keep callers apart by the broker's permissions")
            ]
        }
        guard !rules.isEmpty else {
            return [
                Diagnosis(
                    .fail, .policy, "there is a policy without a rule: nobody gets anything",
                    advice: "add a rule, or take the policy's rules away")
            ]
        }
        var found: [Diagnosis] = []
        for (position, rule) in rules.enumerated() {
            if let earlier = rules[..<position].first(where: { $0.subject.covers(rule.subject) }) {
                found.append(
                    Diagnosis(
                        .warn, .policy,
                        "rule \"\(rule.name)\" is never reached: \"\(earlier.name)\" comes first, and is for all of it",
                        advice: "move it up, or take it away"))
            } else if rule.subject.isEmpty || policy.requiresUser && rule.subject.isForNoUser {
                found.append(
                    Diagnosis(
                        .warn, .policy, "rule \"\(rule.name)\" is for nobody and nothing",
                        advice: "correct its part for, or take it away"))
            }
        }
        return found.isEmpty ? [Diagnosis(.ok, .policy, policy.summary)] : found
    }
}

extension PolicySubject {
    /// Whether everything that `other` is for is known to be among what this is for.
    func covers(_ other: PolicySubject) -> Bool {
        coversCallers(of: other) && Self.covers(appIDs, other.appIDs, { $0 == $1 })
            && Self.covers(services, other.services, { $0 == $1 })
            && Self.covers(channels, other.channels, { $0.covers($1) })
    }

    /// Whether it is for nothing at all.
    var isEmpty: Bool {
        let isForCallers =
            users == nil && apps == nil && anonymous == nil || !(users ?? []).isEmpty || !(apps ?? []).isEmpty
            || anonymous == true
        return !isForCallers || appIDs?.isEmpty == true || services?.isEmpty == true || channels?.isEmpty == true
    }

    /// Whether it is for applications and callers without a name only.
    var isForNoUser: Bool { (apps != nil || anonymous != nil) && (users ?? []).isEmpty }

    private func coversCallers(of other: PolicySubject) -> Bool {
        if users == nil, apps == nil, anonymous == nil { return true }
        if other.users == nil, other.apps == nil, other.anonymous == nil { return false }
        return Self.covers(users ?? [], other.users ?? [], { $0.covers($1) })
            && Self.covers(apps ?? [], other.apps ?? [], { $0.covers($1) })
            && (other.anonymous != true || anonymous == true)
    }

    /// Whether one of `these` covers each of `those`; a list that is not there covers everything.
    private static func covers<Part>(
        _ these: [Part]?, _ those: [Part]?, _ covers: (Part, Part) -> Bool
    ) -> Bool {
        guard let these else { return true }
        return those?.allSatisfy { that in these.contains { covers($0, that) } } ?? false
    }
}

extension TextPattern {
    /// Whether it stands for every text that `other` stands for.
    ///
    /// Only a star can have taken the other's star, so it takes whatever that stands for.
    func covers(_ other: TextPattern) -> Bool { matches(other.text) }
}
