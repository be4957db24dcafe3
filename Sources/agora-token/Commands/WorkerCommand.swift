// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import TokenWorker

/// `worker`: serves requests until it is told to stop.
enum WorkerCommand: Command {
    static let description = CommandDescription(
        name: "worker", summary: "answer token requests and publish notices",
        options: [
            .configurationFile, Option("no-scheduler", "publish no notices"),
            Option("no-intake", "answer no requests"),
        ] + SettingOptions.all,
        notes: [
            "Settings: flag before environment before file. Secrets also come from files: AMQP_URL_FILE,"
                + " AGORA_APP_CERTIFICATE_FILE, DATABASE_URL_FILE.",
            "SIGTERM and SIGINT: stop consuming, finish, confirm, acknowledge, exit 0. A second one ends at once.",
            "SIGHUP: open the audit's file anew, read the configuration again, and take projects, certificates, policy and"
                + " the default lifetime over.",
        ])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        // Before any thread starts, so that every thread leaves the signals to this one.
        let signals = TerminationSignals()
        ProcessMemory.returnLargeBlocks()
        var service = ServiceReporter(context.environment)
        let configuration = try WorkerConfiguration(SettingOptions.sources(arguments, in: context))
        var isEnded = false
        let lock: StoreLock?
        do throws(StoreLockRefusal) {
            lock = try configuration.lockStore { time in
                isEnded = signals.wait(atMost: time).map { $0 != SIGHUP } ?? false
                return isEnded
            }
        } catch {
            throw CommandFailure(.failure, error.description)
        }
        guard !isEnded else { return .success }
        defer { withExtendedLifetime(lock) {} }
        let parts = WorkerParts(intake: !arguments.has("no-intake"), scheduler: !arguments.has("no-scheduler"))
        let worker = try Worker(configuration, parts: parts)
        var isChecked = false
        while true {
            service.report(worker.serviceHealth)
            let rest = min(.milliseconds(isChecked ? 1000 : 100), service.longestPause)
            if let signal = signals.wait(atMost: rest) {
                guard signal == SIGHUP else { break }
                service.reload {
                    worker.reload { () throws(ConfigurationError) in
                        try SettingOptions.sources(arguments, in: context)
                    }
                }
            }
            if !isChecked, worker.isConnected {
                worker.checkTopology()
                isChecked = true
            }
            if let reason = worker.refusal {
                service.stopping()
                worker.stop(within: .zero)
                throw CommandFailure(.failure, reason)
            }
        }
        service.stopping()
        // What is not finished then is not lost either: the broker gives it to others.
        worker.stop(
            within: .seconds(configuration.gracePeriod),
            unless: {
                service.report(worker.serviceHealth)
                return signals.isUrgent
            })
        return .success
    }
}
