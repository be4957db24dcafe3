// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import TokenMessages

@testable import TokenWorker

/// A scheduler that is killed, a broker that loses things, and leases that change all the while; then a quiet time in
/// which everything that is owed has to come.
struct FaultSimulation {
    /// What has gone wrong, in words.
    private(set) var faults: [String] = []
    /// How many notices reached the broker, and how many of them for the second time.
    private(set) var delivered = 0
    private(set) var duplicates = 0
    private(set) var kills = 0
    private(set) var generations = 0

    private let bench: SchedulerBench
    private var random: SplitMix
    private var current: [Key: Lease] = [:]
    private var notices: [String: Notice] = [:]
    private var steps: [String: Set<String>] = [:]
    private var pending: [NoticeOutcome] = []

    init(seed: UInt64, wrap: (any LeaseDatabase) -> any LeaseDatabase = { $0 }) throws {
        bench = try SchedulerBench(wrap: wrap)
        random = SplitMix(state: seed)
    }

    /// Runs it.
    mutating func run(ticks: Int) throws {
        for tick in 0..<ticks {
            bench.advance(Double.random(in: 0..<3, using: &random))
            for number in 0..<3 { try change("\(tick)-\(number)") }
            turn(isQuiet: false)
            if Double.random(in: 0..<1, using: &random) < 0.1 {
                kills += 1
                pending = []
                bench.killAndRestart()
            }
        }
        // The longest lease and its last claims.
        for _ in 0..<400 {
            bench.advance(1)
            turn(isQuiet: true)
        }
        if try bench.store.counts().total > 0 { faults.append("leases are left") }
        for lease in current.values { settleAccounts(lease) }
    }

    private mutating func change(_ message: String) throws {
        let user = UInt32.random(in: 1...300, using: &random)
        let known = current.values.first { $0.grant.scope.user == .uid(user) }
        let lease: Lease?
        switch (Int.random(in: 0..<4, using: &random), known) {
        case (0, let known?) where !known.isCancelled && known.expiresAt > UInt32(bench.now / 1000):
            lease = try? bench.renew(known, message: message)
            if lease == nil { faults.append("lost: \(known.id) is not there to be renewed") }
        case (1, let known?): lease = try bench.cancel(known, message: message)
        default:
            let expire = UInt32.random(in: 1...80, using: &random)
            lease = try bench.issue(user, expire: expire, leads: [30, 10], message: message)
        }
        guard let lease else { return }
        generations += 1
        current[lease.key] = lease
    }

    private mutating func turn(isQuiet: Bool) {
        // Not everything is heard at once.
        let heard = isQuiet ? pending.count : Int.random(in: 0...pending.count, using: &random)
        let sent = bench.turn(.init(outcomes: Array(pending.prefix(heard))))
        pending.removeFirst(heard)
        for publication in sent {
            let arrives = isQuiet || Double.random(in: 0..<1, using: &random) < 0.8
            if arrives { deliver(publication.notice) }
            // The broker may have a notice, and the connection go before it said so.
            let isConfirmed = arrives && (isQuiet || Double.random(in: 0..<1, using: &random) < 0.9)
            pending.append(NoticeOutcome(ticket: publication.ticket, result: isConfirmed ? .confirmed : .failed))
        }
    }

    private mutating func deliver(_ notice: Notice) {
        delivered += 1
        if bench.now < Int64(notice.plannedAt) * 1000 - 1000 { faults.append("early: \(notice.id)") }
        let newest = current.values.first { $0.id == notice.leaseID }
        // Nothing happens between claiming and publishing here, so nothing old may come out.
        if newest?.generation != notice.generation { faults.append("superseded: \(notice.id)") }
        if let first = notices[notice.id] {
            duplicates += 1
            if first.privileges != notice.privileges || first.scope != notice.scope {
                faults.append("another notice of the same id: \(notice.id)")
            }
        }
        notices[notice.id] = notice
        var said = Set(notice.missed.map { "\($0.kind.rawValue)/\($0.plannedAt)" })
        said.insert("\(notice.kind.rawValue)/\(notice.plannedAt)")
        steps["\(notice.leaseID)/\(notice.generation)", default: []].formUnion(said)
    }

    /// Every step of a last generation has come, or is named in one that has; the end has come itself.
    private mutating func settleAccounts(_ lease: Lease) {
        let said = steps["\(lease.id)/\(lease.generation)"] ?? []
        for step in lease.schedule.steps {
            guard let kind = step.kind.notice else { continue }
            if !said.contains("\(kind.rawValue)/\(step.at)") {
                faults.append("lost: \(lease.id)/\(lease.generation)/\(kind.rawValue)/\(step.at)")
            }
        }
        if lease.isCancelled {
            if said.count > 1 { faults.append("said of a cancelled lease: \(said)") }
            return
        }
        let end = "\(lease.id)/\(lease.generation)/expired/\(lease.expiresAt)"
        if notices[end] == nil { faults.append("lost: \(end)") }
    }
}

/// A generator that gives the same numbers again.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
