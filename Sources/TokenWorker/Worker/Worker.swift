// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
package import LeaseStore
internal import Platform
internal import TokenMessages

/// A running worker: its two connections, the issuer between them, and the scheduler.
///
/// Requests go one way: consuming connection → issuer → publishing connection; the broker's confirmation of the reply
/// acknowledges the request. Only then is it gone from its queue.
package final class Worker: Sendable {
    let configuration: WorkerConfiguration
    let log: Log
    /// The policy in force; to replace it is enough for everything that is signed from then on.
    package let policies: PolicyBox

    private let audit: AuditTrail?
    /// What answers messages, as the configuration says by now.
    let rules: Replaceable<Issuer>
    private let inbox: Mailbox<IssuerInbox>
    private let desk: ReplyDesk
    private let owner: OwnerWatch
    private let scheduler: Scheduler?
    private let pair: ConnectionPair
    private let consumer: ConsumerConnection
    private let publisher: PublisherConnection
    private let issuer: PlainThread
    private let issuerEnded: Mailbox<Bool>
    /// Told whenever the consuming connection has another state, and no more than that: nobody listens before the end.
    private let consumerChanged: Mailbox<Bool>
    private let vitals: Vitals
    private let census: CensusTaker?
    private let health: WorkerHealth
    private let server: HTTPServer?

    /// Starts a worker.
    ///
    /// - Parameters:
    ///   - configuration: what it was told.
    ///   - parts: which halves run.
    ///   - wrap: puts something between the worker and its leases; for tests.
    /// - Throws: ``ConfigurationError`` when the database or the audit cannot be opened or the HTTP address not be had;
    ///   nothing has been consumed then.
    package init(
        _ configuration: WorkerConfiguration, parts: WorkerParts,
        wrap: (any LeaseDatabase) -> any LeaseDatabase = { $0 }
    ) throws(ConfigurationError) {
        self.configuration = configuration
        let log = Log(format: configuration.log)
        self.log = log
        let policies = PolicyBox(configuration.policy)
        let audit = try configuration.audit.open(configuration.auditOrigin, log: log)
        let database = try configuration.store.openDatabase(configuration.storeOrigin).map(wrap)
        let names = configuration.names

        let inbox = Mailbox(empty: IssuerInbox())
        let changed = Mailbox(empty: false)
        let owner = OwnerWatch()
        let pair = ConnectionPair()
        let vitals = Vitals()
        let metrics = WorkerMetrics()
        let consumerLog = ConnectionLog(name: "intake", log: log)
        let publisherLog = ConnectionLog(name: "publisher", log: log)
        let rules = Replaceable(configuration.issuer(policies: policies, isAudited: audit != nil))
        let scheduler =
            parts.scheduler
            ? database.map { configuration.scheduler($0, rules, pair, audit, vitals, metrics, log) } : nil
        let gate = scheduler.map { SchedulerGate($0) }
        let desk = ReplyDesk(log: log, pair: pair, metrics: metrics) { given in
            inbox.put { $0.undeliverable += given }
        }
        let consumer = ConsumerConnection(
            configuration: configuration.connection("intake"),
            queues: parts.intake ? configuration.subscriptions : [], prefetch: configuration.prefetch,
            exclusiveOwnerQueue: configuration.store.isForOneWorker ? names.sqliteOwner : nil,
            onDeliveries: { deliveries in inbox.put { $0.add(deliveries) } },
            onState: { state in
                if state.losesDeliveries {
                    inbox.put { $0.loseDeliveries() }
                    desk.deliveriesWereLost()
                }
                consumerLog.note(state)
                metrics.note(state, of: .intake)
                owner.note(state, at: .now)
                gate?.consumerIs(state)
                changed.put { $0 = true }
            })
        let publisher = PublisherConnection(
            configuration: configuration.connection("publisher"),
            onOutcomes: { outcomes in
                metrics.note(outcomes)
                NoticeLine.distribute(outcomes, replies: desk, notices: scheduler)
            },
            onState: { state in
                publisherLog.note(state)
                metrics.note(state, of: .publisher)
                gate?.publisherIs(state)
                if state.isReady { desk.reconnected() }
            })
        // Without a page that shows it nobody counts the leases.
        let census = configuration.http == .off ? nil : database.map { CensusTaker($0) }
        let health = WorkerHealth(
            consumer: consumer, publisher: publisher, scheduler: scheduler, audit: audit, vitals: vitals,
            metrics: metrics, desk: desk, census: census, names: names)
        do throws(ConfigurationError) {
            server = try configuration.server(health, log)
        } catch {
            scheduler?.stop()
            census?.stop()
            throw error
        }
        pair.connect(consumer, publisher)

        let ended = Mailbox(empty: false)
        self.issuer = PlainThread {
            IssuerThread(
                issuer: rules, database: database, desk: desk, mailbox: inbox, pair: pair,
                directReplyTo: configuration.directReplyTo, audit: audit, vitals: vitals, metrics: metrics, log: log
            ).run()
            ended.put { $0 = true }
        }
        self.policies = policies
        self.audit = audit
        self.rules = rules
        self.inbox = inbox
        self.desk = desk
        self.owner = owner
        self.scheduler = scheduler
        self.pair = pair
        self.consumer = consumer
        self.publisher = publisher
        self.vitals = vitals
        self.census = census
        self.health = health
        issuerEnded = ended
        consumerChanged = changed
        announce()
        publisher.start()
        consumer.start()
    }

    /// Why the worker may never serve, or `nil` while it may.
    package var refusal: String? { owner.refusal(at: .now) }

    /// Whether the worker has reached the broker since it was started.
    package var isConnected: Bool { consumer.state.mayDeliver }

    /// How it is, for the service manager.
    package var serviceHealth: ServiceHealth { health.readiness.health }

    /// Looks once, on the calling thread, for everything that the worker needs, and tells the log what is missing.
    ///
    /// The queues of requests are watched all the time; this is for what only shows when it is needed.
    package func checkTopology() {
        do throws(AMQPError) {
            let broker = try Topology(configuration.connection("check"))
            for fault in try TopologyPlan(configuration.names).missing(from: broker) {
                log.line(.error, "topology_missing") { fields in
                    fields.add("detail", "\(fault); agora-token topology apply makes it")
                }
            }
        } catch {
            log.line(.warning, "topology_unchecked") { $0.add("detail", "\(error)") }
        }
    }

    /// Opens the audit's file anew, for whoever has renamed it.
    package func reopenAudit() { audit?.reopen() }

    /// Ends the worker: no more requests, those that it has are answered, confirmed and acknowledged.
    ///
    /// - Parameters:
    ///   - limit: after it what is left goes back to the queues, for others.
    ///   - isUrgent: asked now and then; true ends the waiting.
    /// - Returns: whether everything was finished.
    @discardableResult
    package func stop(within limit: Duration, unless isUrgent: () -> Bool = { false }) -> Bool {
        let deadline = ContinuousClock.now.advanced(by: limit)
        log.line(.info, "stopping")
        vitals.stops()
        census?.stop()
        _ = consumerChanged.take(until: ContinuousClock.now)
        consumer.suspend()
        while consumer.state.mayDeliver, ContinuousClock.now < deadline { _ = consumerChanged.take(until: deadline) }
        inbox.put { $0.isClosing = true }
        var isFinished = false
        while !isFinished, ContinuousClock.now < deadline, !isUrgent() {
            isFinished = issuerEnded.take(until: min(deadline, ContinuousClock.now.advanced(by: .milliseconds(200))))
        }
        if !isFinished { inbox.put { $0.isAborting = true } }
        issuer.join()
        scheduler?.stop()
        census?.join()
        let rest = max(deadline - ContinuousClock.now, .milliseconds(500))
        publisher.close(within: min(rest, .seconds(5)))
        consumer.close(within: min(rest, .seconds(5)))
        pair.disconnect()
        log.line(.info, "stopped") { $0.add("finished", isFinished ? "yes" : "no") }
        return isFinished
    }

    private func announce() {
        log.line(.info, "started") { fields in
            fields.add("version", Version.current)
            fields.add("broker", configuration.broker.description)
            fields.add("store", configuration.store.description)
            fields.add("projects", configuration.projects.all.count)
            fields.add("audit", configuration.audit.description)
        }
        log.announce(configuration.policy)
    }
}

extension ConnectionState {
    /// Whether deliveries that were not acknowledged come again from the broker.
    fileprivate var losesDeliveries: Bool {
        switch self {
        case .connecting, .unreachable, .closed: true
        case .idle, .ready, .incomplete, .suspended, .blocked: false
        }
    }

    /// Whether a delivery may still come.
    fileprivate var mayDeliver: Bool {
        switch self {
        case .ready, .incomplete, .blocked: true
        case .idle, .connecting, .unreachable, .suspended, .closed: false
        }
    }
}
