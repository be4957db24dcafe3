// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import LeaseStore
internal import TokenMessages

extension Log {
    /// Tells what the scheduler did.
    func note(_ event: SchedulerEvent) {
        var batch = batch()
        switch event {
        case .published(let notices):
            for notice in notices { batch.add(.info, "notice") { $0.add(notice) } }
        case .failed(let count): batch.add(.warning, "notices_failed") { $0.add("count", count) }
        case .movedOn: break
        case .unsendable(let notice, let reason):
            batch.add(.error, "notice_unsendable") { fields in
                fields.add(notice)
                fields.add("reason", reason)
            }
        case .poisonous(let notice): batch.add(.error, "notice_passed_over") { $0.add(notice) }
        case .dropped(let count): batch.add(.warning, "claims_dropped") { $0.add("count", count) }
        case .unreadable(let count): batch.add(.error, "leases_unreadable") { $0.add("count", count) }
        case .renewed(let leases):
            for lease in leases { batch.add(.info, "renewed_by_plan") { $0.add(lease) } }
        case .postponed(let lease, let reason):
            batch.add(.warning, "renewal_postponed") { fields in
                fields.add(lease)
                fields.add("reason", reason)
            }
        case .storeAway(let error): batch.add(.error, "scheduler_store_away") { $0.add("reason", "\(error)") }
        case .storeBack: batch.add(.info, "scheduler_store_back")
        case .clockStepped(let milliseconds):
            batch.add(.warning, "clock_stepped") { $0.add("milliseconds", milliseconds) }
        }
        write(batch)
    }
}

extension LogBatch.Fields {
    fileprivate mutating func add(_ notice: Notice) {
        add("kind", notice.kind.rawValue)
        add("caller", notice.caller.text)
        add("leaseId", notice.leaseID)
        add("generation", notice.generation)
        add("plannedAt", notice.plannedAt)
        add("lateByMilliseconds", notice.lateByMilliseconds)
    }

    fileprivate mutating func add(_ lease: Lease) {
        add("caller", lease.caller.text)
        add("leaseId", lease.id)
        add("generation", lease.generation)
        add("expiresAt", lease.expiresAt)
    }
}
