// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Which requests of a closed loop are on their way, and what became of the others; without I/O.
struct LoadLedger: Sendable {
    /// What was counted since ``beginMeasuring()``.
    struct Counts: Sendable, Hashable {
        /// Replies of any kind.
        var answered = 0
        /// Error replies by their code; empty for one without.
        var errors: [String: Int] = [:]
        /// Requests that the broker refused to take.
        var refused = 0
        /// From handing a request over to having its reply, in microseconds.
        var latency = LatencyHistogram()
    }

    private(set) var counts = Counts()
    private var sentAt: [UInt64: UInt64] = [:]
    private var lastNumber: UInt64 = 0
    private var isMeasuring = false
    private var isEnding = false
    /// Why it cannot go on.
    private(set) var fault: String?

    /// How many requests are on their way.
    var outstanding: Int { sentAt.count }

    /// Sends requests.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - now: nanoseconds of a clock.
    /// - Returns: their numbers; none at the end.
    mutating func send(_ count: Int, at now: UInt64) -> Range<UInt64> {
        guard !isEnding, fault == nil else { return 0..<0 }
        let numbers = lastNumber + 1..<lastNumber + 1 + UInt64(count)
        lastNumber += UInt64(count)
        for number in numbers { sentAt[number] = now }
        return numbers
    }

    /// Takes a reply.
    ///
    /// - Parameters:
    ///   - number: the request's number; an unknown one, or one a second time, counts for nothing.
    ///   - error: the code of an error reply.
    ///   - now: nanoseconds of the clock.
    /// - Returns: whether a request is to take its place.
    mutating func answered(_ number: UInt64, error: String?, at now: UInt64) -> Bool {
        guard let start = sentAt.removeValue(forKey: number) else { return false }
        guard isMeasuring else { return true }
        counts.answered += 1
        counts.latency.add((max(now, start) - start) / 1000)
        if let error { counts.errors[error, default: 0] += 1 }
        return true
    }

    /// Notes that the broker did not take a request; returns whether one is to take its place.
    mutating func refused(_ number: UInt64) -> Bool {
        guard sentAt.removeValue(forKey: number) != nil else { return false }
        if isMeasuring { counts.refused += 1 }
        return true
    }

    /// Begins to count: the warm-up is over.
    mutating func beginMeasuring() { isMeasuring = true }

    /// Stops counting and sending; replies still take their requests off.
    mutating func end() {
        isMeasuring = false
        isEnding = true
    }

    /// Notes why it cannot go on; the first reason stays.
    mutating func fail(_ reason: String) {
        if fault == nil { fault = reason }
    }
}
