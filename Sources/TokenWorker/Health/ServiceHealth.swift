// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How a service is at one moment, whatever it serves: what monitoring and systemd are told of it.
package struct ServiceHealth: Sendable, Hashable {
    /// How long a thread may be silent; each of them does something at least every three seconds.
    static var longestSilence: Duration { .seconds(10) }
    /// How long a thread may be silent before only a new start helps: longer than anything that it waits for.
    static var deadlySilence: Duration { .seconds(60) }

    /// One part of the service.
    package struct Check: Sendable, Hashable {
        package let name: String
        /// Why it cannot do its work, as the end of a sentence; `nil` where all is well.
        package let fault: String?
        /// Whether the fault only follows from that of another part.
        let isConsequence: Bool

        package init(name: String, fault: String?, isConsequence: Bool = false) {
            self.name = name
            self.fault = fault
            self.isConsequence = isConsequence
        }
    }

    /// The time since a thread last did something.
    package struct Silence: Sendable, Hashable {
        let thread: String
        let duration: Duration

        package init(thread: String, duration: Duration) {
            self.thread = thread
            self.duration = duration
        }
    }

    /// Everything that has to be well, in the order in which it is told.
    let checks: [Check]
    private let silences: [Silence]

    /// Puts together what the parts say.
    ///
    /// - Parameters:
    ///   - parts: the parts that are well or are not, in the order of a request's way.
    ///   - silences: how long each thread has been silent.
    ///   - stopping: the name of the whole, once it has been told to end.
    package init(_ parts: [Check], silences: [Silence] = [], stopping: String? = nil) {
        self.silences = silences
        checks =
            parts
            + silences.map { silence in
                let isLong = silence.duration > Self.longestSilence
                return Check(
                    name: silence.thread,
                    fault: isLong ? "has not moved for \(silence.duration.components.seconds) s" : nil)
            } + (stopping.map { [Check(name: $0, fault: "is stopping")] } ?? [])
    }

    /// Whether the next request could be served.
    package var isReady: Bool { obstacle == nil }

    /// Whether every thread moves, or may yet: what a new start would not help is not asked here.
    package var isAlive: Bool { stuck.isEmpty }

    /// The first part that is not well, by its own fault where there is such a one.
    var obstacle: Check? {
        let faulty = checks.filter { $0.fault != nil }
        return faulty.first { !$0.isConsequence } ?? faulty.first
    }

    /// The threads that only a new start would help.
    var stuck: [Silence] { silences.filter { $0.duration > Self.deadlySilence } }
}
