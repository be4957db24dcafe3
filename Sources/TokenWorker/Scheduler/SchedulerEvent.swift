// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import TokenMessages

/// What the scheduler has to tell: for logs and metrics.
enum SchedulerEvent: Sendable {
    /// The broker has these notices.
    case published([Notice])
    /// So many notices did not get through and come again.
    case failed(Int)
    /// So many leases had moved on when their notice was marked: renewed, cancelled, or served by another worker too.
    case movedOn(Int)
    /// A notice can never be sent, and its step is passed over.
    case unsendable(Notice, reason: String)
    /// A step that workers died over again and again is passed over.
    case poisonous(Notice)
    /// A pause between claiming and publishing was so long that so many claims were left to others.
    case dropped(Int)
    /// So many due leases cannot be read by this program; they stay, and others go on.
    case unreadable(Int)
    /// These leases were renewed by their plans.
    case renewed([Lease])
    /// The deed of a lease's plan was in vain, for a reason in a word or two, and is tried again.
    case postponed(Lease, reason: String)
    case storeAway(StoreError)
    case storeBack
    /// The store's clock jumped by so many milliseconds against one that nobody sets.
    case clockStepped(milliseconds: Int64)
}
