// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

extension SQLiteLeaseStore {
    func claim(limit: Int, visibility: Double, lane: ClaimLane) throws(StoreError) -> Claim {
        // Most polls find nothing, and then need no lock.
        let now = nowMilliseconds
        if try candidates(limit: 1, lane: lane, now: now).isEmpty {
            return Claim(leases: [], now: now, next: try nextDue(after: now))
        }
        return try transaction(.logged) { () throws(StoreError) in
            let now = nowMilliseconds
            let until = now + Int64(visibility * 1000)
            var claimed: [ClaimedLease] = []
            var unreadable = 0
            for candidate in try candidates(limit: limit, lane: lane, now: now) {
                let isSuspect = candidate.attempts >= ClaimedLease.attemptsTogether
                if isSuspect && !claimed.isEmpty { break }
                try steps.claim.bind(1, candidate.id)
                try steps.claim.bind(2, until)
                try steps.claim.bind(3, candidate.attempts + 1)
                try steps.claim.run()
                guard let row = candidate.row, let lease = try? row.lease() else {
                    unreadable += 1
                    continue
                }
                claimed.append(
                    ClaimedLease(
                        lease: lease, step: row.step, dueAt: row.dueAt, claimedUntil: until,
                        attempt: Int(candidate.attempts) + 1))
                if isSuspect { break }
            }
            return Claim(leases: claimed, now: now, next: try nextDue(after: now), unreadable: unreadable)
        }
    }

    private struct Candidate {
        var row: LeaseRow?
        var attempts: Int64
        var id: Int64
    }

    private func candidates(limit: Int, lane: ClaimLane, now: Int64) throws(StoreError) -> [Candidate] {
        let query = steps.candidates
        let boundary = now - ClaimLane.boundary
        try query.bind(1, lane == .fresh ? boundary : 0)
        try query.bind(2, lane == .fresh ? now : boundary)
        try query.bind(3, now)
        try query.bind(4, Int64(limit))
        defer { query.reset() }
        var candidates: [Candidate] = []
        while try query.step() {
            candidates.append(
                Candidate(
                    row: try? SQLiteRowStatements.read(query),
                    attempts: query.integer(SQLiteRowStatements.selectionCount),
                    id: query.integer(SQLiteRowStatements.selectionCount + 1)))
        }
        return candidates
    }

    func complete(_ marks: [StepMark]) throws(StoreError) -> Int {
        guard !marks.isEmpty else { return 0 }
        return try transaction(.logged) { () throws(StoreError) in
            var stood = 0
            for mark in marks {
                let statement =
                    mark.next == nil ? steps.finish : mark.schedule == nil ? steps.advance : steps.postpone
                try statement.bind(1, key: mark.key)
                try statement.bind(2, mark.generation)
                try statement.bind(3, Int64(mark.step))
                if let next = mark.next {
                    try statement.bind(4, Int64(next.step))
                    try statement.bind(5, next.dueAt)
                }
                if let schedule = mark.schedule { try statement.bind(6, schedule.text) }
                stood += try statement.run()
            }
            return stood
        }
    }

    func release(_ claimed: [ClaimedLease], delay: Double) throws(StoreError) {
        guard !claimed.isEmpty else { return }
        try transaction(.logged) { () throws(StoreError) in
            let until = nowMilliseconds + Int64(delay * 1000)
            for claim in claimed {
                try steps.release.bind(1, key: claim.lease.key)
                try steps.release.bind(2, claim.lease.generation)
                try steps.release.bind(3, Int64(claim.step))
                try steps.release.bind(4, claim.claimedUntil)
                try steps.release.bind(5, until)
                try steps.release.run()
            }
        }
    }

    private func nextDue(after now: Int64) throws(StoreError) -> Int64? {
        try steps.next.bind(1, now)
        defer { steps.next.reset() }
        return try steps.next.step() ? steps.next.integer(0) : nil
    }

    func clock() -> Int64 { shared.clock() }

    func counts() throws(StoreError) -> LeaseCounts {
        let all = try connection.integer("SELECT count(*) FROM lease")
        let cancelled = try connection.integer("SELECT count(*) FROM lease WHERE cancelled = 1")
        return LeaseCounts(live: Int(all - cancelled), cancelled: Int(cancelled))
    }
}
