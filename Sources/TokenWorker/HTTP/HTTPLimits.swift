// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How much a server bears.
package struct HTTPLimits: Sendable, Hashable {
    /// Connections at a time; further ones wait to be accepted.
    package var connections: UInt32
    /// Bytes of a request's body.
    package var bodySize: Int
    /// The time from a connection's beginning, or from its last answer, to the end of its next request; whoever sends
    /// more slowly, or nothing, is cut off.
    package var requestTime: Duration
    /// The time without a sign of the server's thread after which the server opens a connection to itself, for which the
    /// thread has to move; `nil` where nobody asks for ``HTTPServer/silence``.
    package var knockAfter: Duration?

    package init(
        connections: UInt32 = 64, bodySize: Int = 4096, requestTime: Duration = .seconds(15),
        knockAfter: Duration? = nil
    ) {
        self.connections = connections
        self.bodySize = bodySize
        self.requestTime = requestTime
        self.knockAfter = knockAfter
    }

    /// The seconds without a byte after which the library ends a connection.
    var idleSeconds: UInt32 { UInt32(clamping: requestTime.components.seconds) }
}
