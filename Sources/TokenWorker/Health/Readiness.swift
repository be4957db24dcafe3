// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP

/// Whether the next request could be served, and if not, why.
///
/// It is made from what the parts of a worker say at one moment, and knows nothing else.
struct Readiness: Sendable, Hashable {
    /// What the consuming connection can do.
    var intake: ConnectionState
    /// What the publishing connection can do.
    var publisher: ConnectionState
    /// Why the store takes nothing, by whom it was asked; empty where it does, or where there is none.
    var storeFaults: [String] = []
    /// Why the audit takes no lines, nil where it does; nil altogether where there is no audit.
    var auditFault: String??
    /// How long each thread has been silent, by its name.
    var silences: [ServiceHealth.Silence] = []
    /// Whether the worker has been told to end.
    var isStopping = false

    /// The verdict, with everything that has to be well in the order of a message's way.
    var health: ServiceHealth {
        var parts = [
            // It does not consume while something else keeps the worker from answering.
            ServiceHealth.Check(name: "intake", fault: intake.fault, isConsequence: intake == .suspended),
            ServiceHealth.Check(name: "publisher", fault: publisher.fault),
            ServiceHealth.Check(name: "store", fault: storeFaults.first),
        ]
        if let auditFault { parts.append(ServiceHealth.Check(name: "audit", fault: auditFault)) }
        return ServiceHealth(parts, silences: silences, stopping: isStopping ? "worker" : nil)
    }
}
