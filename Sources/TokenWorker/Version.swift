// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The version of this software.
package enum Version {
    /// Set by hand with each release.
    package static let current = "0.1.0"
}
