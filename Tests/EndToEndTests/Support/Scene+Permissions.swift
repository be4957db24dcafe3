// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

extension Scene {
    /// A scene with a worker's user and a caller's, who have what the README gives to `worker` and `alice`.
    static func withUsers(
        _ body: (_ scene: Scene, _ worker: String, _ caller: String, _ callerURL: String) async throws -> Void
    ) async throws {
        let readme = try String(contentsOfFile: TestEnvironment.root + "/README.md", encoding: .utf8)
        let worker = try permissions("worker", readme)
        try await with { scene in
            try await scene.host.withUser("worker") { name, workerURL in
                try await scene.host.allow(name, configure: worker[0], write: worker[1], read: worker[2])
                try await scene.host.withUser("alice") { alice, url in
                    let caller = try permissions("alice", readme).map { $0.replacing("alice", with: alice) }
                    try await scene.host.allow(alice, configure: caller[0], write: caller[1], read: caller[2])
                    let topic = try #require(
                        readme.firstMatch(of: /set_topic_permissions alice agora\.notices '([^']*)' '([^']*)'/)
                    ).output
                    let rights = ["exchange": "agora.notices", "write": String(topic.1), "read": String(topic.2)]
                    try await scene.host.broker.management.call(
                        "PUT", ["topic-permissions", scene.host.name, alice],
                        body: String(decoding: JSONEncoder().encode(rights), as: UTF8.self))
                    try await body(scene, workerURL, alice, url)
                }
            }
        }
    }

    /// The three patterns of the README's `set_permissions` for a user.
    static func permissions(_ user: String, _ readme: String) throws -> [String] {
        let text = readme.replacing("\\\n", with: " ")
        let line = try #require(text.split(separator: "\n").first { $0.contains("set_permissions \(user) ") })
        let patterns = line.matches(of: /'([^']*)'/).map { String($0.output.1) }
        try #require(patterns.count == 3)
        return patterns
    }
}
