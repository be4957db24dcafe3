// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Foundation
import Testing
import TokenClient
import TokenMessages

/// The documentation's examples, which must compile.
@Suite struct DocumentationTests {
    /// Never called: there is no broker at the documented address.
    private func examples(send: (String) -> Void) async throws {
        let client = TokenClient(ClientConfiguration(endpoints: [try AMQPURL(parsing: "amqp://guest:guest@localhost")]))
        client.start()
        let reply = try await client.request(TokenRequest(channelName: "test", user: .uid(1234)))
        send(reply.token)

        let kept = client.keepAlive(TokenRequest(channelName: "test", user: .uid(1234)))
        print(try await kept.token().token)
        for await update in kept.updates {
            switch update {
            case .token(let reply): send(reply.token)
            case .failed(let error): print("no new token yet: \(error)")
            case .ended(let error): print("no more tokens: \(String(describing: error))")
            }
        }
        try await kept.end()

        let requests = ["news", "talk", "music"].map { TokenRequest(channelName: $0, user: .uid(1234)) }
        let tokens = client.keepAlive(requests)
        for token in tokens { send(try await token.token().token) }
        try await client.end(tokens)
    }

    @Test(arguments: [
        "README.md", "Sources/TokenClient/TokenClient.docc/TokenClient.md",
        "Sources/TokenClient/TokenClient.docc/KeepingTokens.md",
    ])
    func theDocumentedExamplesAreTheseHere(_ path: String) throws {
        func lines(_ text: String) -> [String] {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let article = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        // The README's other programs are targets of the package.
        let blocks = article.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }.filter { path != "README.md" || $0.contains("keepAlive") }
        let documented = blocks.flatMap(lines)
        let compiled = Set(lines(try String(contentsOfFile: #filePath, encoding: .utf8)))
        #expect(documented.count >= 3)
        for line in documented { #expect(compiled.contains(line), "\(line) is not compiled") }
    }
}
