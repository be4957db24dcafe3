// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A setting that stops the start: which one, and what would be right.
package struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// The setting as its owner wrote it: a flag, a variable, or a key of the file.
    package let setting: String
    /// One line that says what is wrong; never a secret's value.
    package let problem: String

    package init(_ setting: String, _ problem: String) {
        self.setting = setting
        self.problem = problem
    }

    package var description: String { "\(setting): \(problem)" }
}
