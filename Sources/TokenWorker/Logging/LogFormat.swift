// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How log lines look.
package enum LogFormat: String, Sendable, Hashable, CaseIterable {
    /// One JSON object per line.
    case json
    /// For people.
    case text
    /// No lines at all.
    case off
}
