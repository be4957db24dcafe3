// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// One thing that the doctor looked at.
package struct Diagnosis: Sendable, Hashable {
    /// How it is.
    package enum Level: String, Sendable, Hashable {
        case ok
        /// It works, but not as it should, or not for long.
        case warn
        /// The worker cannot do its work.
        case fail
    }

    /// What it belongs to.
    package enum Area: String, Sendable, Hashable {
        case settings, broker, store, clock, certificates, policy
    }

    package let level: Level
    package let area: Area
    /// What is the case, in one line; never a secret.
    package let text: String
    /// What to do, in one line; `nil` where nothing is to be done.
    package let advice: String?

    package init(_ level: Level, _ area: Area, _ text: String, advice: String? = nil) {
        self.level = level
        self.area = area
        self.text = text
        self.advice = advice
    }
}
