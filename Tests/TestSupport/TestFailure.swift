// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Why something that a test needs did not happen.
package struct TestFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
