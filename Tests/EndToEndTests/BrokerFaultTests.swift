// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import TestSupport
import Testing

/// What a worker does while its broker is frozen, out of memory, or takes its queues and connections away.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct BrokerFaultTests {
    private static let warmUp = #"{"channelName":"warm-up","uid":1,"notify":false}"#

    /// A scene on a broker of its own with a worker that beats every 5 s, and a requester that never times out.
    private func withWorker(
        _ body: (PrivateBroker, Scene, Requester, WorkerProcess) async throws -> Void
    ) async throws {
        let broker = try await PrivateBroker()
        try await Scene.with(on: broker.address) { scene in
            let worker = try scene.worker(url: "\(scene.host.url)?heartbeat=5")
            let requester = try await Requester(url: "\(scene.host.url)?heartbeat=0")
            _ = try await requester.token(Self.warmUp)
            try await worker.becomes(ready: true, within: .seconds(10))
            try await body(broker, scene, requester, worker)
        }
        try await broker.remove()
    }

    @Test("Report01, Report03: a frozen broker costs readiness, and no request")
    func frozenBroker() async throws {
        try await withWorker { broker, scene, requester, worker in
            let load = Load(requester)
            try load.publish(500)
            try await eventually(within: .seconds(20), "the first replies") { try load.answers() > 0 }
            try await broker.pause()
            let frozen = ContinuousClock.now
            try load.publish(100)
            let why = try await worker.becomes(ready: false, within: .seconds(15))
            let noticed = ContinuousClock.now - frozen
            #expect(why.contains("intake: ") && why.contains("publisher: "))
            #expect(try await worker.page("/livez").status == 200, "a new start would not help")

            let share = try await worker.processorShare(over: .seconds(5))
            #expect(share < 0.02, "while the broker is away: \(share) of a processor")
            // The rest of the time for which the broker is to stand still.
            try await Task.sleep(for: TestEnvironment.runsLongTests ? .seconds(60) - (.now - frozen) : .zero)
            try await broker.resume()
            let again = ContinuousClock.now
            try await worker.becomes(ready: true, within: .seconds(30))
            print("frozen broker: noticed after \(noticed), ready \(ContinuousClock.now - again) after its return")
            try await load.settle(worker.log)
            #expect(try load.unanswered().isEmpty)

            // And an end in order, although nobody takes leave of a frozen broker.
            try load.publish(100)
            try await broker.pause()
            let end = ContinuousClock.now
            #expect(try await worker.stop(within: .seconds(35)) == .code(0))
            print("frozen broker: stopped after \(ContinuousClock.now - end)")
            try await broker.resume()
            let next = try scene.worker()
            try await load.settle(next.log)
            #expect(try await next.stop() == .code(0))
        }
    }

    @Test("Report02: a memory alarm under load costs a pause")
    func memoryAlarmUnderLoad() async throws {
        try await withWorker { broker, _, requester, worker in
            let load = Load(requester)
            // The broker tells a publisher only when it publishes, and takes no requests either: they come before.
            worker.signal(SIGSTOP)
            try load.publish(500)
            try await eventually(within: .seconds(20), "500 confirms") { try load.unanswered().count == 500 }
            try await broker.rabbitmqctl(["set_vm_memory_high_watermark", "0.00001"])
            worker.signal(SIGCONT)
            let why = try await worker.becomes(ready: false, within: .seconds(15))
            #expect(why.contains("publisher: is blocked by the broker"))
            let share = try await worker.processorShare(over: .seconds(3))
            #expect(share < 0.02, "while it is blocked: \(share) of a processor")
            try await broker.rabbitmqctl(["set_vm_memory_high_watermark", "0.6"])
            try await worker.becomes(ready: true, within: .seconds(15))
            try load.publish(100)
            try await load.settle(worker.log)
            #expect(try await worker.stop() == .code(0))
        }
    }

    @Test("Report04, Report25, B41: a queue deleted, missing for a while, which /readyz shows, and made again")
    func queueDeletedAndMadeAgain() async throws {
        try await Scene.withWorker { scene, worker in
            try await worker.becomes(ready: true, within: .seconds(20))
            let requester = try await Requester(url: scene.host.url)
            for turn in 1...2 {
                try await scene.host.broker.management.call(
                    "DELETE", ["queues", scene.host.name, "agora.tokens.request"])
                let why = try await worker.becomes(ready: false, within: .seconds(15))
                #expect(why.contains("agora.tokens.request"), "it says which queue")
                // The others are served meanwhile.
                let refusal = try await requester.error(#"{"leaseId":"none"}"#, .renew)
                #expect(refusal.code == "lease_not_found")
                if turn == 2 { try await Task.sleep(for: .seconds(3)) }
                try await WorkerProcess.applyTopology(url: scene.host.url)
                let made = ContinuousClock.now
                _ = try await requester.token(Self.warmUp, within: .seconds(15))
                #expect(.now - made < .seconds(10), "consuming again")
                try await worker.becomes(ready: true, within: .seconds(5))
            }
        }
    }

    /// Deliveries that are interrupted count as tried; none of them may be taken for one that kills its workers.
    @Test("Report21, Report26: connections closed under load, again and again")
    func connectionsClosedUnderLoad() async throws {
        let rounds = TestEnvironment.runsLongTests ? 50 : 5
        try await Scene.withWorker { scene, worker in
            let requester = try await Requester(url: scene.host.url)
            _ = try await requester.token(Self.warmUp)
            let load = Load(requester)
            let management = scene.host.broker.management
            let (host, process) = (scene.host.name, worker.processID)
            try await load.publish {
                for round in 1...rounds {
                    let closed = try await firstAnswer(within: .seconds(30), "connections to close, round \(round)") {
                        let names = try await management.connections(of: process, in: host)
                        return names.isEmpty ? nil : names
                    }
                    for name in closed { _ = try? await management.call("DELETE", ["connections", name]) }
                }
            }
            try await load.settle(within: .seconds(60), worker.log)
            #expect(try await requester.driver.look(at: "agora.tokens.dead").messages == 0)
            print("connections closed in \(rounds) rounds: \(load.count) requests, all answered")
        }
    }

    @Test("Report31: an idle worker rests")
    func idleWorkerRests() async throws {
        try await Scene.withWorker { _, worker in
            try await worker.becomes(ready: true, within: .seconds(20))
            let share = try await worker.processorShare(over: .seconds(5))
            print("idle: \(share) of a processor")
            #expect(share < 0.02)
        }
    }

    @Test("Report30: SIGTERM with 1,000 messages prefetched")
    func stopWithManyPrefetched() async throws {
        try await Scene.with { scene in
            let requester = try await Requester(url: scene.host.url)
            let first = try scene.worker(environment: ["AGORA_TOKEN_PREFETCH": "1000"])
            _ = try await requester.token(Self.warmUp)
            first.signal(SIGSTOP)
            let load = Load(requester)
            try load.publish(1500)
            try await eventually(within: .seconds(30), "1,500 waiting requests") {
                // Those that the broker has handed over are not counted among the messages.
                try await requester.driver.look(at: "agora.tokens.request").messages == 500
            }
            first.signal(SIGTERM)
            first.signal(SIGCONT)
            let begin = ContinuousClock.now
            #expect(try await first.wait(within: .seconds(35)) == .code(0), "\(first.log.suffix(2000))")
            let took = ContinuousClock.now - begin
            let early = try load.answers()
            #expect(took < .seconds(30) && early < 1500)
            let left = try await requester.driver.look(at: "agora.tokens.request").messages
            #expect(left + early == 1500, "answered and acknowledged, or back on the queue: \(left) + \(early)")
            let second = try scene.worker()
            try await load.settle(second.log)
            #expect(try load.answers() == 1500, "none was answered twice")
            print("1,000 prefetched: stopped after \(took), \(early) answered, \(left) left to others")
            #expect(try await second.stop() == .code(0))
        }
    }
}
