// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

/// The steps of one generation, in order, computed once when it is made and stored with it.
package struct Schedule: Sendable, Hashable {
    /// The steps, by time; never empty.
    package var steps: [Step]

    /// The schedule of a lease.
    ///
    /// Each lead gives a `will_expire` before the lease's end and before every earlier end of a privilege. A lead is
    /// at most half of the time until that end, and one of 0 s is dropped, so that no notice calls for a renewal
    /// whose own notice is already due.
    ///
    /// - Parameters:
    ///   - grant: what was granted.
    ///   - issuedAt: when, in seconds since 1970.
    ///   - leads: the leads asked for, in seconds.
    ///   - renewal: the plan by which the worker renews the lease, at the first lead before its end.
    ///   - opening: what is due at once.
    package init(
        grant: Grant, issuedAt: UInt32, leads: [UInt32], renewal: RenewalPlan? = nil, opening: [Step.Kind] = []
    ) {
        let leaseEnd = grant.end(issuedAt: issuedAt)
        var ends: [UInt32] = [leaseEnd]
        for end in grant.privileges(issuedAt: issuedAt).map(\.seconds) where end > issuedAt && end < leaseEnd {
            if !ends.contains(end) { ends.append(end) }
        }
        self.init(issuedAt: issuedAt, leaseEnd: leaseEnd, ends: ends, leads: leads)
        if let renewal, let lead = Leads(leads, lifetime: leaseEnd - issuedAt).seconds.first,
            renewal.allows(at: leaseEnd - lead)
        {
            insert(Step(.renew, at: leaseEnd - lead))
        }
        if !opening.isEmpty { steps.insert(contentsOf: opening.map { Step($0, at: issuedAt) }, at: 0) }
    }

    /// Puts a step before the notices of its moment, or of a later one.
    private mutating func insert(_ step: Step) {
        let place = steps.firstIndex { $0.at >= step.at } ?? steps.endIndex
        steps.insert(step, at: place)
    }

    /// The schedule of a lease that ends at `leaseEnd` and has privileges that end at `ends`.
    init(issuedAt: UInt32, leaseEnd: UInt32, ends: [UInt32], leads: [UInt32]) {
        steps = []
        for end in ends {
            for lead in Leads(leads, lifetime: end - issuedAt).seconds { add(lead: lead, end: end) }
        }
        if steps.count > 1 { steps.sort { $0.at < $1.at } }
        steps.append(Step(.expired, at: leaseEnd))
    }

    /// Adds a notice before an end; one at the same moment as another is one with it.
    private mutating func add(lead: UInt32, end: UInt32) {
        let at = end - lead
        if let index = steps.firstIndex(where: { $0.at == at }) {
            steps[index].leads.append(lead)
            steps[index].leads.sort()
        } else {
            steps.append(Step(.willExpire, at: at, leads: [lead]))
        }
    }

    /// The schedule of a tombstone from the moment of the cancellation until `end`, both in seconds since 1970.
    package init(cancelledAt moment: UInt32, until end: UInt32) {
        steps = [Step(.cancelled, at: min(moment, end)), Step(.purge, at: end)]
    }

    /// What is left when the deed at `index`, in vain so far, is tried again at `moment`, in seconds since 1970.
    ///
    /// The notice of a renewal waits for its token. A lease whose token nobody took is not renewed once more meanwhile:
    /// see `isBlocked(_:)`.
    package func postponing(_ index: Int, to moment: UInt32) -> Schedule {
        var left = Schedule(steps: Array(steps[index...]))
        var moved = [left.steps.removeFirst()]
        if moved[0].kind == .token, left.steps.first?.kind == .renewed { moved.append(left.steps.removeFirst()) }
        moved[0].leads = [(moved[0].leads.first ?? 0) + 1]
        for index in moved.indices { moved[index].at = moment }
        let place =
            left.steps.firstIndex { $0.at > moment || ($0.at == moment && $0.kind == .expired) } ?? left.steps.endIndex
        left.steps.insert(contentsOf: moved, at: place)
        return left
    }

    /// Whether a renewal is not to be done, because the token of the one before has not arrived.
    package func isBlocked(_ index: Int) -> Bool {
        steps[index].kind == .renew && steps[index...].contains { $0.kind == .token }
    }

    private init(steps: [Step]) { self.steps = steps }

    /// When a step is due, in milliseconds since 1970.
    ///
    /// A `will_expire` is due up to a second, and up to a tenth of its lead, before its time, by a hash of the lease:
    /// ends are whole seconds, and leases that end in the same one would otherwise be due all at once.
    package func dueAt(_ step: Int, key: Key) -> Int64 {
        let step = steps[step]
        let due = Int64(step.at) * 1000
        guard step.kind == .willExpire else { return due }
        let shortest = step.leads.first ?? 0
        let span = UInt64(min(1000, max(1, shortest.multipliedReportingOverflow(by: 100).partialValue)))
        return due - Int64(key.spread % span)
    }

    /// The last step that is due at `now` (milliseconds since 1970), from `step` on, which is taken to be due: that
    /// it was claimed is what counts, should the clock have been set back since.
    package func latestDue(from step: Int, now: Int64, key: Key) -> Int {
        var latest = min(step, steps.count - 1)
        while latest + 1 < steps.count, dueAt(latest + 1, key: key) <= now { latest += 1 }
        return latest
    }
}
