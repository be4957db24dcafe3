// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// The README's recipes for the steps of a call, run as they are written.
@Suite(.timeLimit(.minutes(3)))
struct RecipeTests {
    /// The block of the README that has a word in it.
    private func recipe(with word: String) throws -> String {
        let text = try String(contentsOfFile: TestEnvironment.root + "/README.md", encoding: .utf8)
        let blocks = text.components(separatedBy: "```bash\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
        return try #require(blocks.first { $0.contains(word) }, "there is no recipe with \(word)")
    }

    private func run(_ recipe: String, _ scene: Scene) async throws -> String {
        let folder = URL(filePath: TestEnvironment.binary).deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try await ChildProcess.run(
            "/bin/bash", ["-c", "set -euo pipefail\n" + recipe],
            environment: [
                "AMQP_URL": scene.host.url, "PATH": "\(folder):\(path)", "AGORA_APP_ID": WorkerProcess.appID,
                "AGORA_APP_CERTIFICATE": WorkerProcess.certificate,
            ], within: .seconds(90))
    }

    private func tokens(_ text: String) -> [String] {
        text.matches(of: /007[A-Za-z0-9+\/=]{50,}/).map { String($0.output) }
    }

    @Test func asAnAppSeesIt() async throws {
        let recipe = try recipe(with: "fetch_rtc_token")
        try await Scene.withWorker { scene, _ in
            let gateway = try GatewayProcess(url: scene.host.url)
            try await gateway.becomesReady()
            let output = try await run(recipe.replacing("127.0.0.1:8080", with: try await gateway.address()), scene)
            #expect(output.contains("accepted") && output.contains("refused"), "\(output)")
            #expect(output.contains("The token ran out"), "\(output)")
            let tokens = tokens(output)
            #expect(tokens.count == 4, "three channels, and the last one: \(output)")
            let channels = try await Verifier.read(tokens).map { $0.services?.first?.channelName }
            #expect(channels == ["news", "talk", "music", "test"])
            #expect(try await gateway.stop() == .code(0))
        }
    }

    @Test func asABackendSeesIt() async throws {
        let recipe = try recipe(with: "agora-token watch")
        try await Scene.withWorker { scene, _ in
            let output = try await run(recipe, scene)
            #expect(output.contains("will_expire: rtc, channel test, uid 1234"), "\(output)")
            let channels = try await Verifier.read(tokens(output)).map { $0.services?.first?.channelName }
            #expect(channels == ["test", "test", "news", "talk", "music", "test"], "\(output)")
        }
    }
}
