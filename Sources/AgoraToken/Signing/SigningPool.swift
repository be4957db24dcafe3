// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Synchronization

/// Lends workspaces, so that signing needs neither its own nor one passed to it.
enum SigningPool {
    /// How many workspaces wait for the next token; more are made when more threads sign at once.
    private static let capacity = 16

    private static let idle = Mutex<[Box]>([])

    /// Calls `body` with a workspace that nobody else uses meanwhile.
    static func withWorkspace<Result, Failure: Error>(
        _ body: (inout SigningWorkspace) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let box = idle.withLock { $0.popLast() } ?? Box()
        defer {
            idle.withLock { boxes in
                if boxes.count < capacity { boxes.append(box) }
            }
        }
        return try body(&box.workspace)
    }

    /// A workspace that is moved rather than copied.
    ///
    /// The pool hands it to one caller at a time, which is what makes it safe to send.
    private final class Box: @unchecked Sendable {
        var workspace = SigningWorkspace()
    }
}
