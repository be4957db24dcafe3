// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport

extension Scene {
    /// A new file with a text, below the folder that is deleted after the tests; returns its path.
    static func file(_ text: String, _ name: String = "policy.json5") throws -> String {
        let path = "\(TestEnvironment.scratch)/\(TestEnvironment.uniqueName("file"))-\(name)"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    /// Sets the scene with a worker under a policy, which is written to a file.
    static func withWorker(
        policy: String, arguments: [String] = [], _ body: (Scene, WorkerProcess) async throws -> Void
    ) async throws {
        try await with { scene in
            let worker = try scene.worker(arguments: ["--policy", file(policy)] + arguments)
            do { try await body(scene, worker) } catch {
                throw TestFailure("\(error)\n--- the worker's log:\n\(worker.log.suffix(4000))")
            }
            let exit = try await worker.stop()
            guard exit == .code(0) else {
                throw TestFailure("the worker ended with \(exit)\n\(worker.log.suffix(4000))")
            }
        }
    }
}
