// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TokenClient
import TokenMessages
import TokenWorker

/// `bench worker`: how much running workers do, and how fast.
enum BenchWorkerCommand: Command {
    static let description = CommandDescription(
        name: "bench worker", summary: "load running workers with requests, and measure them",
        options: [
            Option("window", value: "N", "how many requests are on their way at any time (100)"),
            Option("seconds", value: "N", "how long to measure (5)"),
            Option("warm-up", value: "N", "seconds before that, which do not count (1)"),
            Option("users", value: "N", "ask for so many users in turn, each with a lease (100000)"),
            Option("no-lease", "ask for tokens without leases"),
            Option("pid", value: "PID", repeats: true, "also measure this worker process here; may be repeated"),
            Option("metrics", value: "URL", repeats: true, "the same by a worker's /metrics; may be repeated"),
            .json,
        ] + ClientOptions.all,
        notes: [
            """
            Each reply brings the next request. The requests are real: leases that they make have notices and run out
            after the worker's usual lifetime, unless --no-lease is given. Latency is from handing a request over to
            having its reply; at the end, --timeout says how long replies may still take before they count as lost.
            Processor time and memory are those of the named workers together, and of the largest.
            """,
            "exit status 1 means that a request was lost, refused, or answered with an error.",
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) async throws -> ExitStatus {
        let window = try arguments.integer("window", in: 1...10_000) ?? 100
        let seconds = try arguments.integer("seconds", in: 1...86_400) ?? 5
        let warmUp = try arguments.integer("warm-up", in: 0...3_600) ?? 1
        let users = try arguments.integer("users", in: 1...UInt64(UInt32.max)) ?? 100_000
        let workers = try sources(arguments)
        let configuration = try ClientOptions.configuration(arguments, in: context, part: "bench")
        _ = try usage(workers)
        try check(configuration)

        let load = LoadGenerator(
            configuration, .init(window: window, users: users, wantsLease: !arguments.has("no-lease")))
        load.start()
        defer { load.close() }
        try await wait(at: configuration.timeout, load, "the broker") { load.isReady }
        load.fill()
        try await wait(at: .seconds(warmUp), load, nil) { false }

        let before = try usage(workers)
        let start = ContinuousClock.now
        load.beginMeasuring()
        try await wait(at: .seconds(seconds), load, nil) { false }
        load.end()
        let measured = (ContinuousClock.now - start) / .seconds(1)
        let after = try usage(workers)
        let counts = load.counts
        try await wait(at: configuration.timeout, load, nil) { load.outstanding == 0 }

        let report = LoadReport(
            window: window, seconds: measured, counts: counts, lost: load.outstanding,
            worker: workers.isEmpty ? nil : (after.microseconds - before.microseconds, after.residentBytes))
        context.console.print(arguments.has(Option.json.name) ? report.json : report.text)
        return report.isClean && counts.answered > 0 ? .success : .failure
    }

    private static func sources(_ arguments: Arguments) throws(CommandFailure) -> [WorkerUsage.Source] {
        var sources: [WorkerUsage.Source] = []
        for text in arguments.all("pid") {
            guard let id = Int(text), id > 0 else {
                throw CommandFailure(.usage, "--pid: \"\(text)\" is not the number of a process")
            }
            sources.append(.process(id))
        }
        return sources + arguments.all("metrics").map { .metrics($0) }
    }

    private static func usage(_ workers: [WorkerUsage.Source]) throws(CommandFailure) -> WorkerUsage {
        do throws(WorkerUsage.Failure) {
            return try WorkerUsage(workers)
        } catch {
            throw CommandFailure(.unavailable, "\(error)")
        }
    }

    /// Looks whether anybody would answer, before anything is sent.
    private static func check(_ configuration: ClientConfiguration) throws(CommandFailure) {
        let queue = configuration.names.queue(.request)
        do throws(AMQPError) {
            guard try Topology(configuration.connection("check")).checkQueue(queue).consumers == 0 else { return }
        } catch {
            throw CommandFailure(.unavailable, "\(error)")
        }
        throw CommandFailure(.unavailable, "no worker consumes \(queue)")
    }

    /// Waits until `isDone`, at most so long; running out of time is an error where it is named what is waited for.
    private static func wait(
        at limit: Duration, _ load: LoadGenerator, _ name: String?, until isDone: () -> Bool
    ) async throws {
        let end = ContinuousClock.now.advanced(by: limit)
        while !isDone() {
            if let fault = load.fault { throw CommandFailure(.unavailable, fault) }
            let left = end - ContinuousClock.now
            guard left > .zero else {
                guard let name else { return }
                throw CommandFailure(.unavailable, "\(name) was not reached within \(limit)")
            }
            // The load counts on the connections' threads, which to wake this one for each answer would slow down.
            try await Task.sleep(for: min(left, .milliseconds(20)))
        }
    }
}
