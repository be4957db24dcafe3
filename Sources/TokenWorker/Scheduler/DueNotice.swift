// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import TokenMessages

/// What is to be done about a claimed lease.
struct DueNotice: Sendable {
    /// How often a step may be claimed before it is passed over: more than ten workers have died over it.
    static let mostAttempts = 10

    /// The notice; `nil` for a step of which nobody hears.
    var notice: Notice?
    /// What to mark once the broker has the notice.
    var mark: StepMark
    /// Whether the notice is not to be published, because too many have died over it.
    var isPoisonous: Bool

    /// Decides at `now`, by the store's clock in milliseconds since 1970.
    ///
    /// Of several steps that are due only the last is announced, and stands for those before it.
    init(_ claimed: ClaimedLease, now: Int64) {
        let lease = claimed.lease
        let steps = lease.schedule.steps
        let latest = lease.schedule.latestDue(from: claimed.step, now: now, key: lease.key)
        mark = StepMark(claimed, published: latest)
        isPoisonous = claimed.attempt > Self.mostAttempts
        // A step of which nobody hears does not silence those before it.
        let told = steps[...latest].dropFirst(claimed.step).last { $0.kind.notice != nil }
        guard let told, let kind = told.kind.notice else {
            notice = nil
            return
        }
        let ends = told.ends
        notice = Notice(
            kind: kind, leaseID: lease.id, generation: lease.generation, caller: lease.caller,
            appID: lease.grant.appID, scope: lease.grant.scope, expiresAt: lease.expiresAt,
            privileges: lease.grant.privileges(issuedAt: lease.issuedAt).filter { ends.contains($0.seconds) },
            plannedAt: told.at, timeMilliseconds: now,
            missed: steps[..<latest].dropFirst(claimed.step).compactMap { step in
                step == told ? nil : step.kind.notice.map { Notice.Missed(kind: $0, plannedAt: step.at) }
            },
            attempt: claimed.attempt, trace: lease.trace)
    }
}

extension Step.Kind {
    /// The kind of notice that a step gives, if it gives one.
    var notice: NoticeKind? {
        switch self {
        case .willExpire: .willExpire
        case .expired: .expired
        case .cancelled: .cancelled
        case .purge: nil
        }
    }
}
