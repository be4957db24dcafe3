// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// A store or a broker that is away for a while: everything is caught up with, and the worker does not grow.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct OutageTests {
    /// How long they are away.
    private static let outage: Duration = .seconds(TestEnvironment.runsLongTests ? 60 : 6)
    /// How much more memory the worker may have afterwards, in bytes.
    private static let growth = 10 << 20

    /// Everything that a worker keeps is in use once before its memory is measured.
    private func warmUp(_ load: Load, _ worker: WorkerProcess) async throws -> Int {
        for _ in 0..<4 {
            try load.publish(1000)
            try await load.settle(worker.log)
        }
        return try #require(worker.residentBytes)
    }

    /// Leases that end while something is away.
    private func leases(_ requester: Requester) async throws -> Set<String> {
        var leases: Set<String> = []
        for user in 1...20 {
            let reply = try await requester.token(
                #"{"channelName":"outage","uid":\#(user),"expire":4,"notify":{"before":[2]}}"#)
            leases.insert(try #require(reply.leaseId))
        }
        return leases
    }

    private func report(_ what: String, _ before: Int, _ worker: WorkerProcess) throws {
        let after = try #require(worker.residentBytes)
        print("\(what) away for \(Self.outage): \(before >> 10) KB before, \(after >> 10) KB after")
        #expect(after - before <= Self.growth)
    }

    @Test func theStoreIsAway() async throws {
        let database = try await PrivatePostgres()
        try await database.migrate()
        try await Scene.with { scene in
            let worker = try WorkerProcess(url: scene.host.url, database: database.url)
            let requester = try await Requester(url: scene.host.url)
            let load = Load(requester)
            let before = try await warmUp(load, worker)
            let leases = try await leases(requester)
            try await load.publish {
                try await database.stop()
                try await Task.sleep(for: Self.outage)
                try await database.start()
            }
            try await load.settle(within: .seconds(120), worker.log)
            try await eventually(within: .seconds(30), "every end") {
                leases.isSubset(of: try requester.notices().filter { $0.kind == "expired" }.map(\.data.leaseId))
            }
            #expect(worker.log.contains("\"event\":\"store_away\"") && worker.log.contains("\"event\":\"store_back\""))
            try report("store", before, worker)
            #expect(try await requester.driver.look(at: "agora.tokens.dead").messages == 0)
            #expect(try await worker.stop() == .code(0))
        }
        try await database.remove()
    }

    @Test func theBrokerIsAway() async throws {
        let broker = try await PrivateBroker()
        try await Scene.with(on: broker.address) { scene in
            let worker = try scene.worker()
            let requester = try await Requester(url: scene.host.url)
            let before = try await warmUp(Load(requester), worker)
            let queue = "kept.notices"
            try await requester.driver.declare(queue, exclusive: false, durable: true)
            try await requester.driver.bind(queue, to: "agora.notices", key: "#")
            try await broker.rabbitmqctl(["eval", "mnesia:sync_log()."])
            let leases = try await leases(requester)
            try await broker.kill()
            try await Task.sleep(for: Self.outage)
            try await broker.start()
            let later = try await Requester(url: scene.host.url)
            try await later.driver.consume(queue)
            try await eventually(within: .seconds(30), "every end\n\(worker.log.suffix(2000))") {
                let notices = try later.driver.messages(in: queue).map { try $0.json(Contract.Notice.self) }
                return leases.isSubset(of: notices.filter { $0.kind == "expired" }.map(\.data.leaseId))
            }
            let load = Load(later)
            try load.publish(1000)
            try await load.settle(worker.log)
            try report("broker", before, worker)
            #expect(try await worker.stop() == .code(0))
        }
        try await broker.remove()
    }
}
