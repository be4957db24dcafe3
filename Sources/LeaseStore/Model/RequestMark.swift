// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

/// What recognises a repeated message.
package struct RequestMark: Sendable, Hashable {
    /// A hash of caller, kind, message id and item, or of the message itself when it has no id.
    package var id: Key
    /// A hash of the body.
    package var body: Key
    /// Whether the lease's history is searched for `id`.
    ///
    /// Without a message id only redelivered messages are.
    package var isCompared: Bool

    /// Marks a request.
    package init(id: Key, body: Key, isCompared: Bool) {
        self.id = id
        self.body = body
        self.isCompared = isCompared
    }
}
