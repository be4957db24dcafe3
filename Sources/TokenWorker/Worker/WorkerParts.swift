// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Which halves of a worker run in a process.
package struct WorkerParts: Sendable, Hashable {
    /// Requests are consumed and answered.
    package var intake = true
    /// Notices are published when they are due.
    package var scheduler = true

    package init(intake: Bool = true, scheduler: Bool = true) {
        self.intake = intake
        self.scheduler = scheduler
    }
}
