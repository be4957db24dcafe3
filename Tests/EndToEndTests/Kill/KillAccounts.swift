// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation

/// What the replies promised, and which notices came.
struct KillAccounts {
    /// A generation of a lease, as its reply told it.
    struct Generation: Hashable {
        let lease: String
        let number: Int
        /// The steps that were promised; of a cancelled one only their kind is known.
        let steps: Set<Contract.Notice.Step>
        let isCancelled: Bool
        let end: Int
    }

    /// Half of the workers' visibility: so long after its successor's commit an old notice may still be made.
    static let longestOverlap = 5.0
    /// How much earlier than planned a notice may come: the jitter, and the difference of two clocks' readings.
    static let earliest = 1.05

    private(set) var answered: [String: Int] = [:]
    private(set) var errors: [String: Int] = [:]
    private(set) var generations: [String: [Int: Generation]] = [:]
    /// The token and the end of the newest generation of each lease.
    private(set) var newest: [String: Contract.Reply] = [:]
    private(set) var lastEnd = 0
    private var lastArrival: Double?
    /// The longest time between two messages so far, in seconds.
    private(set) var longestPause = 0.0
    private var notices: [(notice: Contract.Notice, arrival: Double)] = []
    private var tokens: [String: String] = [:]
    private(set) var faults: [String] = []

    /// Takes a message of the worker's; of a notice, returns what it says.
    mutating func take(_ message: DriverMessage) throws -> Contract.Notice? {
        if let lastArrival { longestPause = max(longestPause, message.arrival - lastArrival) }
        lastArrival = message.arrival
        if message.queue == SturdyClient.notices {
            let notice = try message.json(Contract.Notice.self)
            if message.properties.messageID != notice.id { faults.append("message_id is not the id of \(notice.id)") }
            notices.append((notice, message.arrival))
            return notice
        }
        let id = message.properties.correlationID ?? "none"
        answered[id, default: 0] += 1
        switch message.properties.type {
        case "token.issued", "token.renewed": enter(try message.json(Contract.Reply.self), id, message)
        case "token.cancelled": enter(try message.json(Cancellation.self))
        default: errors[try message.json(Contract.ErrorReply.self).error.code, default: 0] += 1
        }
        return nil
    }

    private struct Cancellation: Decodable {
        let leaseId: String
        let generation: Int
    }

    private mutating func enter(_ reply: Contract.Reply, _ id: String, _ message: DriverMessage) {
        if let token = tokens[id], token != reply.token { faults.append("two tokens for the message \(id)") }
        tokens[id] = reply.token
        guard let lease = reply.leaseId, let number = reply.generation else {
            return faults.append("a token without a lease for \(id)")
        }
        var steps: Set<Contract.Notice.Step> = [.init(kind: "expired", plannedAt: reply.expiresAt)]
        for lead in reply.notifyBefore ?? [] {
            steps.insert(.init(kind: "will_expire", plannedAt: reply.expiresAt - lead))
        }
        if message.properties.type == "token.renewed" {
            steps.insert(.init(kind: "renewed", plannedAt: reply.issuedAt))
        }
        generations[lease, default: [:]][number] = Generation(
            lease: lease, number: number, steps: steps, isCancelled: false, end: reply.expiresAt)
        if number >= newest[lease]?.generation ?? 0 { newest[lease] = reply }
        lastEnd = max(lastEnd, reply.expiresAt)
    }

    private mutating func enter(_ reply: Cancellation) {
        generations[reply.leaseId, default: [:]][reply.generation] = Generation(
            lease: reply.leaseId, number: reply.generation, steps: [], isCancelled: true, end: 0)
    }

    /// The last generation of each lease.
    private var last: [Generation] {
        generations.values.compactMap { $0.values.max { $0.number < $1.number } }
    }

    /// Whether everything that is owed has come.
    var isSettled: Bool {
        let ended = Set(
            notices.filter { ["expired", "cancelled"].contains($0.notice.kind) }
                .map { "\($0.notice.data.leaseId)/\($0.notice.data.generation)" })
        return last.allSatisfy { ended.contains("\($0.lease)/\($0.number)") }
    }

    /// Compares what came with what was promised, and gives what to print.
    mutating func settle(confirmed: Set<String>) -> String {
        let lost = confirmed.subtracting(answered.keys)
        if let one = lost.first { faults.append("lost: the answers to \(lost.count) messages, such as \(one)") }
        let byID = Dictionary(grouping: notices) { $0.notice.id }
        var said: [String: Set<Contract.Notice.Step>] = [:]
        var named = 0
        for (notice, _) in notices {
            let generation = "\(notice.data.leaseId)/\(notice.data.generation)"
            said[generation, default: []].insert(.init(kind: notice.kind, plannedAt: notice.data.plannedAt))
            said[generation]?.formUnion(notice.data.missed)
            named += notice.data.missed.count
        }
        for generation in last { judge(generation, said["\(generation.lease)/\(generation.number)"] ?? [], byID) }
        let late = judgeTimes()
        for (id, copies) in byID where Set(copies.map(\.notice.data.expiresAt)).count > 1 {
            faults.append("two different notices of the id \(id)")
        }
        let all = generations.values.reduce(0) { $0 + $1.count }
        return """
            \(generations.count) leases, \(all) generations, \(all - generations.count) superseded or cancelled; \
            \(confirmed.count) messages confirmed, \(answered.count) answered, \
            \(answered.values.reduce(0, +) - answered.count) of them twice, refused: \(errors); \
            confirmed less answered: \(lost.count); \
            \(notices.count) notices, \(notices.count - byID.count) of them again, \(named) steps named in missed; \(late)
            """
    }

    private mutating func judge(
        _ generation: Generation, _ said: Set<Contract.Notice.Step>,
        _ byID: [String: [(notice: Contract.Notice, arrival: Double)]]
    ) {
        let name = "\(generation.lease)/\(generation.number)"
        if generation.isCancelled {
            if !said.contains(where: { $0.kind == "cancelled" }) { faults.append("lost: \(name)/cancelled") }
            if said.count > 1 { faults.append("of the cancelled \(name): \(said.map(\.kind))") }
            return
        }
        for step in generation.steps.subtracting(said) { faults.append("lost: \(name)/\(step.kind)/\(step.plannedAt)") }
        for step in said.subtracting(generation.steps) {
            faults.append("invented: \(name)/\(step.kind)/\(step.plannedAt)")
        }
        if byID["\(name)/expired/\(generation.end)"] == nil { faults.append("lost: \(name)/expired, only named") }
    }

    private mutating func judgeTimes() -> String {
        var stale = 0
        var late: [Double] = []
        for (notice, arrival) in notices {
            let planned = Double(notice.data.plannedAt)
            if arrival < planned - Self.earliest { faults.append("early by \(planned - arrival) s: \(notice.id)") }
            late.append(max(0, arrival - planned))
            // A generation is the moment of its commit, in microseconds.
            let next = generations[notice.data.leaseId]?.keys.filter { $0 > notice.data.generation }.min()
            guard let next, let made = Self.seconds(notice.time), made > Double(next) / 1e6 else { continue }
            stale += 1
            if made - Double(next) / 1e6 > Self.longestOverlap {
                faults.append("made \(made - Double(next) / 1e6) s after its successor: \(notice.id)")
            }
        }
        late.sort()
        func at(_ share: Double) -> String {
            late.isEmpty ? "-" : String(format: "%.2f", late[min(late.count - 1, Int(Double(late.count) * share))])
        }
        return "\(stale) of an older generation; late by \(at(0.5)) s (median), \(at(0.99)) s (p99), \(at(1)) s (most)"
    }

    private static func seconds(_ time: String) -> Double? {
        (try? Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))?.timeIntervalSince1970
    }
}
