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
    package init(grant: Grant, issuedAt: UInt32, leads: [UInt32]) {
        let leaseEnd = grant.end(issuedAt: issuedAt)
        var ends: [UInt32] = [leaseEnd]
        for end in grant.privileges(issuedAt: issuedAt).map(\.seconds) where end > issuedAt && end < leaseEnd {
            if !ends.contains(end) { ends.append(end) }
        }
        self.init(issuedAt: issuedAt, leaseEnd: leaseEnd, ends: ends, leads: leads)
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
