// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Synchronization

/// What a consumer connection is to do, and the queue names that it has found, which everybody may ask for.
final class ConsumerPlan: Sendable {
    let queues: [QueueSubscription]
    let prefetch: UInt16
    let exclusiveOwnerQueue: String?
    let onDeliveries: @Sendable ([Delivery]) -> Void
    /// Tells the tags of this connection from those of others in the process.
    let identity: UInt32

    private let found: Mutex<[String?]>
    private static let connections = Atomic<UInt32>(0)

    init(
        queues: [QueueSubscription], prefetch: UInt16, exclusiveOwnerQueue: String?,
        onDeliveries: @escaping @Sendable ([Delivery]) -> Void
    ) {
        self.queues = queues
        self.prefetch = prefetch
        self.exclusiveOwnerQueue = exclusiveOwnerQueue
        self.onDeliveries = onDeliveries
        self.identity = Self.connections.add(1, ordering: .relaxed).newValue
        self.found = Mutex(Array(repeating: nil, count: queues.count))
    }

    /// The queues' names by position.
    var names: [String?] { found.withLock { $0 } }

    /// Notes the name of a queue.
    func found(_ name: String, at index: Int) {
        found.withLock { $0[index] = name }
    }
}
