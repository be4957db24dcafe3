// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Log {
    /// Says at the start, and whenever the policy changes, what it comes to.
    func announce(_ policy: Policy) {
        guard let rules = policy.rules else {
            return line(.warning, "no_policy") { fields in
                let callers = policy.requiresUser ? "every user of the broker" : "every caller"
                fields.add(
                    "detail", "\(callers) may have every token of every configured project, uid 0 among them")
            }
        }
        line(.info, "policy") { fields in
            fields.add("rules", rules.count)
            fields.add("requireUser", policy.requiresUser ? "yes" : "no")
            fields.add("ownReplyQueues", policy.ownReplyQueues ? "yes" : "no")
        }
    }
}
