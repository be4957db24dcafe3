// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport

/// A virtual host with the topology, and a worker's database.
struct Scene {
    let host: VirtualHost
    let database: String

    /// Sets the scene for a test, with the shared broker unless another is given.
    static func with(on broker: BrokerAddress? = nil, _ body: (Scene) async throws -> Void) async throws {
        try await VirtualHost.with(on: broker) { host in
            try await WorkerProcess.applyTopology(url: host.url)
            try await body(Scene(host: host, database: WorkerProcess.newDatabase()))
        }
    }

    /// Starts a worker; it is killed when the result goes out of scope.
    func worker(
        url: String? = nil, arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> WorkerProcess {
        try WorkerProcess(url: url ?? host.url, database: database, arguments: arguments, environment: environment)
    }

    /// Sets the scene with a worker, stops that in order afterwards, and expects that it ends well.
    static func withWorker(_ body: (Scene, WorkerProcess) async throws -> Void) async throws {
        try await with { scene in
            let worker = try scene.worker()
            do {
                try await body(scene, worker)
            } catch {
                throw TestFailure("\(error)\n--- the worker's log:\n\(worker.log.suffix(4000))")
            }
            let exit = try await worker.stop()
            guard exit == .code(0) else {
                throw TestFailure("the worker ended with \(exit)\n\(worker.log.suffix(4000))")
            }
        }
    }
}
