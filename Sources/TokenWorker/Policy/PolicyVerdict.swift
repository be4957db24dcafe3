// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

/// What a policy says of one item of a message, and how it came to it.
package struct PolicyVerdict: Sendable, Hashable {
    /// A rule that came before the one that decided.
    package struct Passed: Sendable, Hashable {
        package let rule: String
        /// Why it was not for the item.
        package let reason: String
    }

    /// Who asks, as leases and notices have it.
    package let caller: String
    /// The rule that decided; nil where none did.
    package let rule: String?
    /// The refusal as the reply would have it; nil where it is allowed.
    package let refusal: MessageError?
    /// How often the caller may ask, where the rule limits it.
    package let rate: String?
    /// The rules before it.
    package let passed: [Passed]

    /// Whether it is allowed.
    package var isAllowed: Bool { refusal == nil }

    /// The verdict in one line.
    package var line: String {
        switch (refusal, rule) {
        case (let refusal?, _): "denied: \(refusal.message)"
        case (nil, let rule?): "allowed by rule \"\(rule)\"" + (rate.map { ", \($0)" } ?? "")
        case (nil, nil): "allowed: there are no rules"
        }
    }

    /// Writes the verdict as an object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("allowed", isAllowed)
        json.member("caller", caller)
        if let rule { json.member("rule", rule) }
        if let rate { json.member("rate", rate) }
        if let refusal {
            json.member("code", refusal.code.rawValue)
            json.member("message", refusal.message)
        }
        json.name("passed")
        json.beginArray()
        for passed in passed {
            json.beginObject()
            json.member("rule", passed.rule)
            json.member("reason", passed.reason)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }
}

extension Rate: CustomStringConvertible {
    /// How often, for people.
    var description: String { "\(perSecond) a second, at most \(Int(burst)) at once" }
}
