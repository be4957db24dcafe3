// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Why a text is not JSON, and where.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was found or missing; no part of the text beyond single characters.
    package let reason: String
    /// The offset in bytes, from 0.
    package let offset: Int

    package var description: String { "\(reason), at byte \(offset)" }
}
