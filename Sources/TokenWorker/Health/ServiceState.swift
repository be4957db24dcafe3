// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What systemd is told of a service, and when.
///
/// It is made from what the service says of itself, and does no I/O.
struct ServiceState: Sendable {
    /// How long a start is awaited before it counts as done all the same: a broker that is away is no failed start, but
    /// another worker that holds the leases is, and shows within this time.
    static let startPatience: Duration = .seconds(20)
    /// The longest status, in characters.
    static let longestStatus = 200

    /// Every how long the watchdog wants to hear something; `nil` where there is none.
    let watchdog: Duration?
    private let start: ContinuousClock.Instant
    private var isStarted = false
    private var isStopping = false
    private var status = ""
    private var fed: ContinuousClock.Instant?

    /// Begins a service's life.
    ///
    /// - Parameters:
    ///   - environment: the variables of the process, of which `WATCHDOG_USEC` and `WATCHDOG_PID` are read.
    ///   - processID: this process; another one's watchdog is not ours.
    ///   - start: now.
    init(_ environment: [String: String], processID: Int, start: ContinuousClock.Instant) {
        let isOurs = environment["WATCHDOG_PID"].map { $0 == String(processID) } ?? true
        let limit = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
        // Three words in each period, so that one may be late.
        watchdog = isOurs ? limit.map { .microseconds($0) / 3 } : nil
        self.start = start
    }

    /// What there is to say now, an assignment on each line; `nil` where it is nothing new.
    ///
    /// The watchdog hears something only while every thread moves.
    mutating func news(_ health: ServiceHealth, at now: ContinuousClock.Instant) -> String? {
        var lines: [String] = []
        if !isStarted, !isStopping, health.isReady || now - start >= Self.startPatience {
            isStarted = true
            lines.append("READY=1")
        }
        let status = isStopping ? "stopping" : Self.status(of: health)
        if status != self.status {
            self.status = status
            lines.append("STATUS=\(status)")
        }
        if let watchdog, health.isAlive, fed.map({ now - $0 >= watchdog }) ?? true {
            fed = now
            lines.append("WATCHDOG=1")
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Says that the end has begun.
    mutating func stopping() -> String {
        isStopping = true
        status = "stopping"
        return "STOPPING=1\nSTATUS=stopping"
    }

    /// Says that the configuration is being read again.
    ///
    /// - Parameter monotonicMicroseconds: the monotonic clock.
    /// - Returns: assignments, one on each line.
    func reloading(monotonicMicroseconds: Int64) -> String {
        "RELOADING=1\nMONOTONIC_USEC=\(monotonicMicroseconds)"
    }

    /// Says that it was.
    func reloaded() -> String { "READY=1" }

    /// The verdict, and the first thing that is in the way.
    private static func status(of health: ServiceHealth) -> String {
        guard let check = health.obstacle, let fault = check.fault else {
            return "ready"
        }
        let line = "not ready: \(check.name): \(fault)".split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count > longestStatus ? line.prefix(longestStatus - 1) + "…" : line
    }
}
