// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import TestSupport
import Testing

/// How a worker ends, and how it waits.
@Suite(.timeLimit(.minutes(2)))
struct StopTests {
    @Test("Report30: SIGTERM with 1,000 messages in hand and no reply getting out: ends in time, loses nothing")
    func endsWithinTheGracePeriod() async throws {
        try await Scene.with { scene in
            let proxy = try HoldingProxy(to: scene.host.url, holding: .publisher)
            let requester = try await Requester(url: scene.host.url)
            let first = try scene.worker(
                url: try await proxy.url(), arguments: ["--prefetch", "1000", "--grace-period", "4"])
            _ = try await requester.token(#"{"channelName":"warm-up","uid":1,"notify":false}"#)
            try await proxy.hold()
            let driver = try await Driver(url: scene.host.url)
            let replies = try await driver.consumedQueue()
            for number in 1...1000 {
                _ = try driver.publish(
                    Array(#"{"channelName":"test","uid":\#(number),"notify":false}"#.utf8), to: "agora.tokens",
                    key: "request", .init(correlationID: "\(number)", replyTo: replies, messageID: "m-\(number)"))
            }
            try await eventually(within: .seconds(15), "an empty queue, as the worker has all of it") {
                try await driver.look(at: "agora.tokens.request").messages == 0
            }
            let clock = ContinuousClock()
            let start = clock.now
            let exit = try await first.stop(within: .seconds(15))
            let time = clock.now - start
            print("stopped with 1,000 messages in hand: \(exit) after \(time)")
            #expect(time < .seconds(8), "\(first.log.suffix(2000))")

            let second = try scene.worker()
            try await eventually(within: .seconds(20), "every answer\n\(second.log.suffix(2000))") {
                Set(try driver.messages(in: replies).compactMap(\.properties.correlationID)).count == 1000
            }
            #expect(try driver.messages(in: replies).count == 1000, "no answer comes twice")
            #expect(try await second.stop() == .code(0))
        }
    }

    @Test("a worker that waits for a confirm at its end sleeps meanwhile")
    func restsWhileItStops() async throws {
        try await Scene.with { scene in
            let proxy = try HoldingProxy(to: scene.host.url, holding: .publisher)
            let requester = try await Requester(url: scene.host.url)
            let worker = try scene.worker(url: try await proxy.url(), arguments: ["--grace-period", "20"])
            _ = try await requester.token(#"{"channelName":"warm-up","uid":1,"notify":false}"#)
            try await proxy.hold()
            _ = try requester.send(Array(#"{"channelName":"test","uid":1,"notify":false}"#.utf8), .request, .init())
            try await eventually(within: .seconds(15), "an empty queue, as the worker has the message") {
                try await requester.driver.look(at: "agora.tokens.request").messages == 0
            }
            worker.signal(SIGTERM)
            // Three seconds without work are when an idle worker looks after its store.
            try await Task.sleep(for: .seconds(4))
            let share = try await worker.processorShare(over: .seconds(2))
            #expect(share < 0.25, "\(worker.log.suffix(2000))")
            try await worker.kill()
        }
    }

    @Test("SIGTERM with 1,000 messages in hand and a slow store: what was begun is answered, the rest goes back")
    func finishesWhatWasBegun() async throws {
        let database = try await PrivatePostgres()
        try await database.migrate()
        try await Scene.with { scene in
            let driver = try await Driver(url: scene.host.url)
            let replies = try await driver.consumedQueue()
            func answers() throws -> [String] {
                try driver.messages(in: replies).compactMap(\.properties.correlationID)
            }
            let first = try WorkerProcess(
                url: scene.host.url, database: database.url, arguments: ["--prefetch", "1000", "--grace-period", "10"])
            _ = try await Requester(url: scene.host.url).token(#"{"channelName":"warm-up","uid":1}"#)
            // Nobody can write a lease until this session ends.
            let lock = try ChildProcess("psql", ["-qtA", database.url], writable: true)
            try lock.write(Array("BEGIN; LOCK TABLE lease; SELECT 'locked';\n".utf8))
            try await eventually(within: .seconds(20), "the lock") { lock.output.contains("locked") }
            for number in 1...1000 {
                _ = try driver.publish(
                    Array(#"{"channelName":"test","uid":\#(number)}"#.utf8), to: "agora.tokens", key: "request",
                    .init(correlationID: "\(number)", replyTo: replies, messageID: "m-\(number)"))
            }
            try await eventually(within: .seconds(15), "an empty queue, as the worker has all of it") {
                try await driver.look(at: "agora.tokens.request").messages == 0
            }
            #expect(try answers().isEmpty)
            first.signal(SIGTERM)
            try await eventually(within: .seconds(10), "a worker that stops") { first.log.contains("\"stopping\"") }
            lock.signal(SIGKILL)
            let exit = try await first.wait(within: .seconds(15))
            #expect(exit == .code(0), "\(first.log.suffix(2000))")
            let begun = try answers().count
            let back = try await driver.look(at: "agora.tokens.request").messages
            print("stopped with 1,000 messages in hand and a slow store: \(begun) answered, \(back) given back")
            #expect(begun > 0)

            let second = try WorkerProcess(url: scene.host.url, database: database.url)
            _ = try await Requester(url: scene.host.url).token(#"{"channelName":"after","uid":1}"#)
            try await eventually(within: .seconds(20), "every answer\n\(second.log.suffix(2000))") {
                Set(try answers()).count == 1000
            }
            #expect(try answers().count == 1000, "no answer comes twice")
            #expect(try await second.stop() == .code(0))
        }
        try await database.remove()
    }

    @Test("Report31: less than 2 % of a core while the broker is away")
    func restsWithoutABroker() async throws {
        let worker = try WorkerProcess(url: "amqp://127.0.0.1:1", database: WorkerProcess.newDatabase())
        try await eventually(within: .seconds(10), "a line about the broker") { worker.log.contains("127.0.0.1:1") }
        let time: Duration = TestEnvironment.runsLongTests ? .seconds(60) : .seconds(5)
        let before = try cpuSeconds(of: worker)
        try await Task.sleep(for: time)
        let used = try cpuSeconds(of: worker) - before
        print("without a broker: \(used) s of CPU time in \(time)")
        #expect(used <= time / .seconds(1) * 0.02)
        #expect(try await worker.stop() == .code(0))
    }

    /// The time that the process has run, in its own code and in the kernel's.
    private func cpuSeconds(of worker: WorkerProcess) throws -> Double {
        let stat = String(
            decoding: FileManager.default.contents(atPath: "/proc/\(worker.processID)/stat") ?? Data(), as: UTF8.self)
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw TestFailure("no times in \(stat)")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
