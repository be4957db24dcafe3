// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import Platform
internal import TokenMessages

extension Doctor {
    /// Looks at the broker: whether it can be reached, what it is, what the user may do there, and the topology.
    func examineBroker(_ clocks: inout ClockReadings, _ tell: (Diagnosis) -> Void) {
        // What is wrong with these settings was said before.
        guard let brokers = try? WorkerConfiguration.brokers(sources),
            let names = try? WorkerConfiguration.names(sources)
        else { return }
        for url in brokers {
            do throws(AMQPError) {
                let broker = try Topology(
                    ConnectionConfiguration(endpoints: [url], connectionName: "agora-token doctor"))
                let directReplyTo = try? sources.choice(.directReplyTo, WorkerConfiguration.DirectReplyTo.self)
                BrokerCheck.diagnoses(broker.broker, at: url, directReplyTo: directReplyTo ?? .auto).forEach(tell)
                examinePermissions(broker, user: url.user, names, tell)
                if management == nil { try examineTopology(broker, names, tell) }
            } catch {
                tell(Diagnosis(.fail, .broker, "\(url): \(error)", advice: Self.advice(error)))
            }
        }
        if let management { examineManagement(management, brokers[0], names, &clocks, tell) }
    }

    private static func advice(_ error: AMQPError) -> String {
        switch error.code {
        case .authenticationFailed: "correct user and password in AMQP_URL, or set the user's password at the broker"
        case .notAllowed, .accessRefused: "make the virtual host, and give the user permissions in it"
        case .tlsFailed: "correct the TLS parameters of AMQP_URL, cacertfile and the others"
        default: "start the broker, or correct host and port in AMQP_URL"
        }
    }

    /// Asks for each thing that a worker does, in a way that does nothing.
    private func examinePermissions(
        _ broker: Topology, user: String, _ names: Names, _ tell: (Diagnosis) -> Void
    ) {
        let advice =
            "rabbitmqctl set_permissions \(user) CONFIGURE WRITE READ, with the patterns of the README's"
            + " “Who may do what”"
        func ask(_ what: String, _ question: () throws(AMQPError) -> Bool) {
            do throws(AMQPError) {
                tell(BrokerCheck.permission(try question(), what, advice))
            } catch {
                switch error.code {
                // What is missing is the topology's matter.
                case .notFound: break
                case .resourceLocked: tell(Diagnosis(.ok, .broker, "a worker is at work: it has \(names.sqliteOwner)"))
                default: tell(Diagnosis(.fail, .broker, "\(error)", advice: "see the broker's log"))
                }
            }
        }
        for kind in MessageKind.allCases {
            let queue = names.queue(kind)
            ask("consume \(queue)") { () throws(AMQPError) in try broker.mayConsume(queue) }
        }
        ask("publish replies through the default exchange") { () throws(AMQPError) in
            try broker.mayPublish(to: "", routingKey: "reply.doctor")
        }
        ask("publish notices to \(names.noticesExchange)") { () throws(AMQPError) in
            try broker.mayPublish(to: names.noticesExchange, routingKey: "will_expire.rtc.doctor")
        }
        guard let store = try? WorkerConfiguration.store(sources), store.isForOneWorker else { return }
        ask("make \(names.sqliteOwner), the lock of SQLite's worker") { () throws(AMQPError) in
            try broker.mayOwn(names.sqliteOwner)
        }
    }

    private func examineTopology(
        _ broker: Topology, _ names: Names, _ tell: (Diagnosis) -> Void
    ) throws(AMQPError) {
        let faults = try TopologyPlan(names).missing(from: broker)
        for fault in faults {
            tell(
                Diagnosis(.fail, .broker, fault.description, advice: "agora-token topology apply makes what is missing")
            )
        }
        guard faults.isEmpty else { return }
        tell(
            Diagnosis(
                .ok, .broker,
                "exchanges and queues are there; --management URL looks at types, bindings and policies, too"))
    }

    private func examineManagement(
        _ management: ManagementClient, _ broker: AMQPURL, _ names: Names, _ clocks: inout ClockReadings,
        _ tell: (Diagnosis) -> Void
    ) {
        let advice = "give --management a URL of this broker's management API, and the user the tag monitoring"
        do {
            let before = WallClock.milliseconds()
            let answer = try management.send("GET", "/api/health/checks/alarms")
            let after = WallClock.milliseconds()
            // To the second, cut off: half a second is added.
            clocks.brokerAhead = answer.date.map { $0 * 1000 + 500 - (before + after) / 2 }
            if answer.status == 503 {
                tell(
                    Diagnosis(
                        .fail, .broker, "an alarm is on: the broker takes no messages, memory or disk are short",
                        advice: "rabbitmq-diagnostics alarms says which; give it room"))
            }
            let limit = (try? WorkerConfiguration.deliveryLimit(sources)) ?? MessagePlanner.standardDeliveryLimit
            let faults = try TopologyPlan(names, deliveryLimit: limit).differences(
                with: management, virtualHost: broker.virtualHost)
            for fault in faults {
                tell(
                    Diagnosis(
                        .fail, .broker, fault.description,
                        advice: "agora-token topology apply --management URL makes what is missing;"
                            + " what differs is its owner's to delete"))
            }
            if faults.isEmpty { tell(Diagnosis(.ok, .broker, "exchanges, queues, bindings and policies are right")) }
        } catch {
            tell(Diagnosis(.warn, .broker, "\(error)", advice: advice))
        }
    }
}
