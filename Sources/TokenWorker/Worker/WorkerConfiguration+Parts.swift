// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import LeaseStore
internal import TokenMessages

extension WorkerConfiguration {
    /// A connection of the worker, named so that the management UI tells which it is.
    func connection(_ part: String) -> ConnectionConfiguration {
        var configuration = ConnectionConfiguration(
            endpoints: [broker] + otherBrokers,
            connectionName: "agora-token worker \(ProcessIdentity.host)/\(ProcessIdentity.pid) \(part)")
        configuration.endpointsFile = brokerFile
        return configuration
    }

    /// The queues of the contract, with consumer tags that tell whose they are.
    var subscriptions: [QueueSubscription] {
        Issuer.queues.map { kind in
            QueueSubscription(
                .existing(names.queue(kind)),
                consumerTag: "agora-token \(ProcessIdentity.host)/\(ProcessIdentity.pid) \(kind.rawValue)")
        }
    }

    /// The scheduler of the leases in a database, not claiming yet.
    func scheduler(
        _ database: any LeaseDatabase, _ issuer: Replaceable<Issuer>, _ pair: ConnectionPair, _ audit: AuditTrail?,
        _ vitals: Vitals, _ metrics: WorkerMetrics, _ log: Log
    ) -> Scheduler {
        var scheduling = SchedulerConfiguration()
        scheduling.visibility = Double(visibility)
        return Scheduler(
            database: database, publisher: NoticeLine(pair: pair, names: names),
            authority: IssuingAuthority(issuer: issuer, audit: audit), configuration: scheduling,
            observe: { event in
                vitals.note(event)
                metrics.note(event)
                log.note(event)
            })
    }

    /// Serves the worker's pages, where they are wanted.
    ///
    /// - Throws: ``ConfigurationError`` when the address that was asked for cannot be had.
    func server(_ health: WorkerHealth, _ log: Log) throws(ConfigurationError) -> HTTPServer? {
        try HTTPServer.pages(at: http, origin: httpOrigin, of: .http, event: "serves_http", log) { health.page($0) }
    }

    /// What answers messages under this configuration, and under a policy that may be replaced.
    func issuer(policies: PolicyBox, isAudited: Bool) -> Issuer {
        Issuer(names: names, planner: planner(hasStore: store != .none), policies: policies, isAudited: isAudited)
    }

    /// What reads messages under this configuration.
    func planner(hasStore: Bool) -> MessagePlanner {
        MessagePlanner(
            projects: projects, policy: policy,
            replyAddress: ReplyAddress(names: names, allowsDirect: false),
            directReplyAddress: ReplyAddress(names: names, allowsDirect: true),
            defaultLifetime: defaultLifetime, defaultLeads: [30], hasStore: hasStore,
            deliveryLimit: deliveryLimit)
    }
}

extension StoreLocation {
    /// Whether only one worker may use it at a time.
    var isForOneWorker: Bool {
        if case .sqlite = self { true } else { false }
    }

    /// Opens the database, where there is one; the folder of the standard place is made.
    ///
    /// - Throws: ``ConfigurationError`` that names the path.
    func openDatabase(_ origin: String?) throws(ConfigurationError) -> (any LeaseDatabase)? {
        if origin == nil, case .sqlite(let path) = self { Folder.make(for: path) }
        do throws(StoreError) {
            switch self {
            case .none: return nil
            case .sqlite(let path): return try SQLiteDatabase(path: path)
            case .postgreSQL(let url): return try LateDatabase(url: url)
            }
        } catch {
            throw ConfigurationError(origin ?? Setting.store.variable, "\(self): \(error)")
        }
    }
}
