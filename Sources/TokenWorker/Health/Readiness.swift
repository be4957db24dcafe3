// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP

/// Whether the next request could be served, and if not, why.
///
/// It is made from what the parts of a worker say at one moment, and knows nothing else.
struct Readiness: Sendable, Hashable {
    /// How long a thread may be silent; each of them does something at least every three seconds.
    static var longestSilence: Duration { .seconds(10) }
    /// How long a thread may be silent before only a new start helps: longer than anything that it waits for.
    static var deadlySilence: Duration { .seconds(60) }

    /// What the consuming connection can do.
    var intake: ConnectionState
    /// What the publishing connection can do.
    var publisher: ConnectionState
    /// Why the store takes nothing, by whom it was asked; empty where it does, or where there is none.
    var storeFaults: [String] = []
    /// Why the audit takes no lines, nil where it does; nil altogether where there is no audit.
    var auditFault: String??
    /// How long each thread has been silent, by its name.
    var silences: [Silence] = []
    /// Whether the worker has been told to end.
    var isStopping = false

    /// The time since a thread last did something.
    struct Silence: Sendable, Hashable {
        let thread: String
        let duration: Duration
    }

    /// One line of the answer.
    struct Check: Sendable, Hashable {
        let name: String
        /// `nil` where all is well.
        let fault: String?
    }

    /// Everything that has to be well, in the order of a message's way.
    var checks: [Check] {
        var checks = [
            Check(name: "intake", fault: intake.fault),
            Check(name: "publisher", fault: publisher.fault),
            Check(name: "store", fault: storeFaults.first),
        ]
        if let auditFault { checks.append(Check(name: "audit", fault: auditFault)) }
        for silence in silences {
            checks.append(
                Check(
                    name: silence.thread,
                    fault: silence.duration > Self.longestSilence
                        ? "has not moved for \(silence.duration.components.seconds) s" : nil))
        }
        if isStopping { checks.append(Check(name: "worker", fault: "is stopping")) }
        return checks
    }

    /// Whether the next request could be served.
    var isReady: Bool { checks.allSatisfy { $0.fault == nil } }

    /// Whether every thread moves, or may yet: what a new start would not help is not asked here.
    var isAlive: Bool { silences.allSatisfy { $0.duration <= Self.deadlySilence } }
}
