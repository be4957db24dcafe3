// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Synchronization
import TestSupport

/// Three workers, a broker and a database that are killed while a client asks, renews and cancels.
struct KillScenario {
    /// How many leases there are.
    var leases: Int
    /// For how long things are killed.
    var seconds: Double
    /// How long leases last, in seconds.
    var lifetimes: ClosedRange<Int>
    /// When the broker is killed, and when the database, in seconds from the start.
    var brokerKills: [Double]
    var databaseKills: [Double]
    /// A fault of the workers, for `FaultyWorker`.
    var fault: String?

    static let short = KillScenario(
        leases: 200, seconds: 20, lifetimes: 6...14, brokerKills: [6], databaseKills: [14])
    static let long = KillScenario(
        leases: 3000, seconds: 120, lifetimes: 20...60, brokerKills: [30, 80], databaseKills: [55, 100])

    /// What came of a run.
    struct Result {
        var faults: [String]
        var report: String
        var kills: Int
    }

    /// The workers; dead ones are replaced by whoever killed them.
    private final class Team: Sendable {
        private struct Members {
            var workers: [WorkerProcess] = []
            var kills = 0
        }

        private let members = Mutex(Members())
        private let start: @Sendable () throws -> WorkerProcess

        init(of count: Int, start: @escaping @Sendable () throws -> WorkerProcess) throws {
            self.start = start
            let workers = try (0..<count).map { _ in try start() }
            members.withLock { $0.workers = workers }
        }

        var kills: Int { members.withLock { $0.kills } }

        /// Kills one and starts another.
        func killOne() async throws {
            let index = members.withLock { Int.random(in: 0..<$0.workers.count) }
            try await members.withLock { $0.workers[index] }.kill()
            let next = try start()
            members.withLock { members in
                members.workers[index] = next
                members.kills += 1
            }
        }

        /// Those that ended by themselves, with their last words.
        var deserters: [String] {
            members.withLock { $0.workers }.filter { $0.exit != nil }.map { "a worker ended: \($0.log.suffix(2000))" }
        }
    }

    /// Runs it.
    func run() async throws -> Result {
        let broker = try await PrivateBroker()
        let database = try await PrivatePostgres()
        try await database.migrate()
        let url = broker.address.url
        try await ChildProcess.run(
            TestEnvironment.binary, ["topology", "apply", "--management", broker.address.management.base],
            environment: ["AMQP_URL": url])
        let client = try await SturdyClient(urls: [url])
        // A broker that is killed within seconds of a declaration may forget it: its log is flushed late.
        try await broker.rabbitmqctl(["eval", "mnesia:sync_log()."])
        let binary = fault == nil ? TestEnvironment.binary : TestEnvironment.root + "/.build/debug/FaultyWorker"
        let variables = fault.map { ["AGORA_TEST_FAULT": $0] } ?? [:]
        let team = try Team(of: 3) {
            try WorkerProcess(url: url, database: database.url, environment: variables, binary: binary)
        }

        let killing = Task {
            let start = ContinuousClock.now
            try await withThrowingTaskGroup { group in
                group.addTask {
                    while ContinuousClock.now < start + .seconds(seconds) {
                        try await Task.sleep(for: .seconds(Double.random(in: 0.5...1.5)))
                        try await team.killOne()
                    }
                }
                for moment in brokerKills {
                    group.addTask {
                        try await Task.sleep(until: start + .seconds(moment))
                        try await broker.kill()
                        try await broker.start()
                    }
                }
                for moment in databaseKills {
                    group.addTask {
                        try await Task.sleep(until: start + .seconds(moment))
                        try await database.kill()
                        try await database.start()
                    }
                }
                try await group.waitForAll()
            }
        }
        defer { killing.cancel() }
        var load = KillLoad(self)
        try await load.run(client)
        try await killing.value
        var accounts = try await load.drain(client)
        let report = accounts.settle(confirmed: client.confirmed)
        let deserters = team.deserters
        let result = Result(
            faults: accounts.faults + deserters,
            report: "\(team.kills) workers killed, \(brokerKills.count) brokers, \(databaseKills.count) databases; "
                + "\(client.republished) messages published again; \(report)",
            kills: team.kills)
        try await broker.remove()
        try await database.remove()
        return result
    }
}
