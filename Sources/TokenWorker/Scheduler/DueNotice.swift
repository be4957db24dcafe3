// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import TokenMessages

/// What is to be done about a claimed lease.
struct DueNotice: Sendable {
    /// How often a step may be claimed before it is passed over: more than ten workers have died over it.
    static let mostAttempts = 10

    /// The notice; `nil` for a step of which nobody hears.
    private(set) var notice: Notice?
    /// What is to be done instead of saying something, if the step is a deed.
    private(set) var deed: Step.Kind?
    /// The deed that was not done in time, of which the notice tells.
    private(set) var failedDeed: Step.Kind?
    /// What to mark once the broker has the notice, or the deed is done.
    let mark: StepMark
    /// Whether the notice is not to be published, because too many have died over it.
    let isPoisonous: Bool

    /// Decides at `now`, by the store's clock in milliseconds since 1970.
    ///
    /// Of several steps that are due only the last is announced, and stands for those before it. A deed is done in its
    /// turn as long as the token is valid; after that its failure is told, and then the end.
    init(_ claimed: ClaimedLease, now: Int64) {
        let schedule = claimed.lease.schedule
        let steps = schedule.steps
        var latest = schedule.latestDue(from: claimed.step, now: now, key: claimed.lease.key)
        let isExhausted = claimed.attempt > Self.mostAttempts
        let next = steps[...latest].indices.dropFirst(claimed.step).first { index in
            steps[index].kind.isDeed && !schedule.isBlocked(index)
        }
        var failed: Step?
        if let next {
            if now >= Int64(claimed.lease.expiresAt) * 1000 || (isExhausted && next == claimed.step) {
                failed = steps[next]
                latest = steps[...latest].lastIndex { $0.kind != .expired } ?? next
            } else if next == claimed.step {
                deed = steps[next].kind
                latest = next
            } else {
                latest = next - 1
            }
        }
        mark = StepMark(claimed, published: latest)
        isPoisonous = isExhausted && failed == nil
        let passed = steps[...latest].dropFirst(claimed.step)
        if let failed {
            failedDeed = failed.kind
            notice = Notice(claimed, .renewalFailed, failed, privileges: [], passed: passed, now: now)
            notice?.reason = failed.kind == .token ? "reply_undeliverable" : "not_renewed"
        } else if deed == nil, let told = passed.last(where: { $0.kind.notice != nil }), let kind = told.kind.notice {
            // A step of which nobody hears does not silence those before it.
            let ends = kind == .renewed ? [] : told.ends
            let privileges = claimed.lease.grant.privileges(issuedAt: claimed.lease.issuedAt)
            notice = Notice(
                claimed, kind, told, privileges: privileges.filter { ends.contains($0.seconds) }, passed: passed,
                now: now)
        }
    }

    /// Says why a renewal was not done.
    mutating func explain(_ reason: String) { notice?.reason = reason }
}

extension Notice {
    fileprivate init(
        _ claimed: ClaimedLease, _ kind: NoticeKind, _ step: Step, privileges: [PrivilegeTime],
        passed: ArraySlice<Step>, now: Int64
    ) {
        let lease = claimed.lease
        self.init(
            kind: kind, leaseID: lease.id, generation: lease.generation, caller: lease.caller,
            appID: lease.grant.appID, scope: lease.grant.scope, expiresAt: lease.expiresAt, privileges: privileges,
            plannedAt: step.at, timeMilliseconds: now,
            missed: passed.compactMap { other in
                other == step ? nil : other.kind.notice.map { Missed(kind: $0, plannedAt: other.at) }
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
        case .renewed: .renewed
        case .purge, .renew, .token: nil
        }
    }
}
