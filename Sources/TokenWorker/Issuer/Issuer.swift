// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import LeaseStore
internal import TokenMessages

/// Turns a batch of deliveries into one transaction and the replies that follow from it.
struct Issuer: Sendable {
    let names: Names
    var planner: MessagePlanner
    let composer: ReplyComposer
    /// The policy in force.
    let policies: PolicyBox
    /// Whether there is an audit, which takes lines.
    let isAudited: Bool
    /// What it signs with.
    let signers: [Signer]

    /// An issuer for the projects of a planner.
    init(names: Names, planner: MessagePlanner, policies: PolicyBox, isAudited: Bool = false) {
        self.names = names
        self.planner = planner
        self.policies = policies
        self.isAudited = isAudited
        composer = ReplyComposer(projects: planner.projects)
        let worker = "\(ProcessIdentity.host)/\(ProcessIdentity.pid)"
        signers = planner.projects.all.map { project in
            Signer(worker: worker, appID: project.name, certificate: project.fingerprint)
        }
    }

    /// What a batch comes to.
    struct Batch: Sendable {
        /// What is published; each delivery is acknowledged when its entry is confirmed.
        var entries: [ReplyDesk.Ledger.Entry] = []
        /// Deliveries that cause no message, to be acknowledged now.
        var silent: [DeliveryTag] = []
        /// The audit's lines, to be written before anything is published.
        var audit: [UInt8] = []
    }

    /// The kinds of message by the position of their queues.
    static let queues = MessageKind.allCases

    /// Answers a batch.
    ///
    /// - Parameters:
    ///   - deliveries: the batch, in the order in which it came.
    ///   - store: where leases are kept, where they are.
    ///   - circumstances: when, and under which conditions.
    ///   - log: takes a line for each outcome.
    ///   - tally: counts them.
    /// - Returns: what to publish and acknowledge.
    /// - Throws: `StoreError` when the store is away; nothing was answered then, and the batch may be tried again.
    func issue(
        _ deliveries: [Delivery], store: (any LeaseStore)?, _ circumstances: Circumstances, log: inout LogBatch,
        tally: inout BatchTally
    ) throws(StoreError) -> Batch {
        let now = circumstances.now
        let planner = planner.under(policies.current)
        planner.limiter.begin(again: circumstances.isRetry)
        var audit = isAudited ? AuditLines(milliseconds: now, policy: planner.policy) : nil
        var messages: [IncomingMessage] = []
        messages.reserveCapacity(deliveries.count)
        var plans: [Plan] = []
        plans.reserveCapacity(deliveries.count)
        var orders: [Order] = []
        orders.reserveCapacity(deliveries.count)
        for index in deliveries.indices {
            let message = IncomingMessage(deliveries[index], kind: Self.queues[deliveries[index].queue])
            tally.take(message, now: now)
            let plan = planner.plan(message, circumstances)
            plan.append(to: &orders)
            messages.append(message)
            plans.append(plan)
        }
        let results = try commit(orders, store, planner, now, &tally)
        var batch = Batch()
        batch.entries.reserveCapacity(messages.count)
        var outcomes = results[...]
        for index in messages.indices {
            if case .deadLetter(let fault) = plans[index] {
                addDead(messages[index], fault, now, &batch, &log)
                tally.dead(messages[index], fault.code)
                audit?.add(fault, .init(messages[index]))
            } else if let answer = composer.answer(plans[index], &outcomes) {
                add(answer, to: messages[index], plans[index].key, now, &batch, &log)
                tally.answer(answer, messages[index], plans[index])
                audit?.add(answer, to: messages[index])
            } else {
                let fault = ReplyComposer.rejected(.rejectedByStore)
                addDead(messages[index], fault, now, &batch, &log)
                tally.dead(messages[index], fault.code)
                audit?.add(fault, .init(messages[index]))
            }
        }
        if let audit { batch.audit = audit.bytes }
        return batch
    }

    /// The most operations of one transaction, which others wait for.
    static let mostOperations = 1000

    /// Has the store carry orders out; what it did before it failed is known again when the batch is tried again.
    private func commit(
        _ orders: [Order], _ store: (any LeaseStore)?, _ planner: MessagePlanner, _ now: Int64,
        _ tally: inout BatchTally
    ) throws(StoreError) -> [LeaseResult] {
        guard let store else { return [] }
        var results: [LeaseResult] = []
        results.reserveCapacity(orders.count)
        while results.count < orders.count {
            let part = orders[results.count...].prefix(Self.mostOperations)
            let start = ContinuousClock.now
            results += try store.commit(part.map(\.operation)) { index, lease in
                let place = part.startIndex + index
                return planner.judge(lease, for: part[place], charge: (now, place))
            }
            tally.committed(.now - start)
        }
        for index in results.indices where planner.policy.isLimiting {
            // The store judges no repeat, but it is signed again all the same, perhaps under another policy.
            if case .repeated(let lease) = results[index], case .renew = orders[index].operation,
                case .denied(let error) = planner.judge(lease, for: orders[index])
            {
                results[index] = .refused(.denied(error))
            }
        }
        return results
    }

    /// Undoes what replies promised that reached nobody.
    ///
    /// - Parameters:
    ///   - undeliverable: the replies.
    ///   - store: where leases are kept, where they are.
    ///   - now: the machine's clock in milliseconds since 1970.
    /// - Returns: what to publish and acknowledge.
    /// - Throws: `StoreError` when the store is away; nothing was undone then.
    func undo(
        _ undeliverable: [ReplyDesk.Undeliverable], store: (any LeaseStore)?, now: Int64
    ) throws(StoreError) -> Batch {
        var ends: [LeaseOperation] = []
        var batch = Batch()
        for reply in undeliverable {
            let claims = reply.claim.parts
            let renewed = claims.filter(\.isRenewal).count
            for claim in claims {
                switch claim {
                case .issued(let lease): ends.append(.end(EndOrder(key: lease.key, generation: lease.generation)))
                case .renewed(let lease):
                    // The renewal stands, so that the same message again gets its token; its owner is told here.
                    var entry = notice(of: lease, receipt: reply.receipt, now)
                    entry.sharesReceipt = renewed > 1
                    batch.entries.append(entry)
                case .several: break
                }
            }
            if renewed == 0, let receipt = reply.receipt { batch.silent.append(receipt) }
        }
        if let store, !ends.isEmpty { _ = try store.commit(ends) }
        return batch
    }

    private func notice(of lease: Lease, receipt: DeliveryTag?, _ now: Int64) -> ReplyDesk.Ledger.Entry {
        let notice = Notice(
            kind: .renewalFailed, leaseID: lease.id, generation: lease.generation, caller: lease.caller,
            appID: lease.grant.appID, scope: lease.grant.scope, expiresAt: lease.expiresAt, privileges: [],
            plannedAt: MessagePlanner.seconds(now), timeMilliseconds: now, reason: "reply_undeliverable",
            trace: lease.trace)
        return .init(
            receipt: receipt, message: Publication(notice, names: names), address: names.noticesExchange,
            mustArrive: true, claim: nil)
    }

    private func add(
        _ answer: ReplyComposer.Answer, to message: IncomingMessage, _ key: RequestKey?, _ now: Int64,
        _ batch: inout Batch, _ log: inout LogBatch
    ) {
        for reply in answer.items { log.add(reply, message) }
        guard let address = message.properties.replyTo else {
            // A cancellation needs no reply, unless something is wrong with it.
            if let fault = answer.reply.faults.first { return addDead(message, fault, now, &batch, &log) }
            log.add(answer.reply, message)
            batch.silent.append(message.delivery.tag)
            return
        }
        log.add(answer.reply, message)
        let properties = ReplyProperties(
            answer.reply, to: message.properties, messageID: key?.replyID(to: answer.reply) ?? "",
            timestamp: UInt64(clamping: now / 1000))
        batch.entries.append(
            .init(
                receipt: message.delivery.tag, message: Publication(answer.reply, properties, to: address),
                address: address, mustArrive: false, claim: answer.claim))
    }

    private func addDead(
        _ message: IncomingMessage, _ fault: MessageError, _ now: Int64, _ batch: inout Batch, _ log: inout LogBatch
    ) {
        log.addDead(message, fault)
        let letter = Publication(
            dead: message.delivery, fault, names: names, kind: message.properties.kind,
            now: UInt64(clamping: now / 1000))
        batch.entries.append(
            .init(
                receipt: message.delivery.tag, message: letter, address: names.deadQueue, mustArrive: true, claim: nil))
    }
}

extension Reply {
    /// What is wrong with the message, or with items of it, in their order.
    fileprivate var faults: [MessageError] {
        switch self {
        case .error(let error): [error]
        case .batch(let batch):
            batch.results.compactMap { result in
                if case .error(let error) = result { error } else { nil }
            }
        case .issued, .renewed, .cancelled, .explained: []
        }
    }
}

extension RequestKey {
    /// The `message_id` of a reply.
    fileprivate func replyID(to reply: Reply) -> String {
        switch reply {
        case .issued(let token): replyID(generation: token.generation)
        case .renewed(let token): replyID(generation: token.generation)
        case .cancelled(let cancelled): replyID(generation: cancelled.generation)
        case .error, .explained: replyID(generation: nil)
        case .batch(let batch):
            replyID(
                generations: batch.results.map { result in
                    switch result {
                    case .token(let token): token.generation
                    case .cancelled(let cancelled): cancelled.generation
                    case .error: nil
                    }
                })
        }
    }
}
