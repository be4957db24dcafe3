// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing
import TokenMessages

/// The documents of the contract, held against the program.
@Suite(.timeLimit(.minutes(4)))
struct ContractTests {
    @Test func theDocumentsAreInOrder() async throws {
        let official = TestEnvironment.root + "/../shared/schemas/asyncapi-3.0.0.json"
        let lint = try ChildProcess(
            "/usr/bin/python3",
            [TestEnvironment.root + "/Tests/Interop/python/lint_contract.py", TestEnvironment.binary]
                + (FileManager.default.fileExists(atPath: official) ? [official] : []))
        let exit = try await lint.wait(within: .seconds(60))
        #expect(exit == .code(0), "\(lint.output)\(lint.errorText)")
    }

    /// Each fault in the printed documents, planted by a program between, is found.
    @Test(arguments: [
        "document['operations']['notify']['channel']['$ref'] = '#/channels/nowhere'",
        "document['components']['schemas']['token']['schema']['$defs'].pop('time')",
        "document['components']['messages']['issued']['examples'][0]['payload']['expiresIn'] = 'x'",
        "document['components']['messages']['error']['examples'].pop(3)",
        "document['components']['messages'].pop('notice')",
        "document['components']['schemas']['unused'] = {}",
    ])
    func theLintFindsPlantedFaults(_ fault: String) async throws {
        let path = "\(TestEnvironment.scratch)/\(TestEnvironment.uniqueName("contract"))"
        let script = """
            #!/usr/bin/python3
            import json, subprocess, sys
            document = json.loads(subprocess.run([\"\(TestEnvironment.binary)\", *sys.argv[1:]],
                                                 check=True, capture_output=True).stdout)
            if 'asyncapi' in sys.argv:
                \(fault)
            print(json.dumps(document))
            """
        try script.write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        let lint = try ChildProcess(
            "/usr/bin/python3", [TestEnvironment.root + "/Tests/Interop/python/lint_contract.py", path])
        let exit = try await lint.wait(within: .seconds(60))
        #expect(exit == .code(1))
        #expect(lint.output.hasPrefix("asyncapi: "), "\(lint.output)\(lint.errorText)")
    }

    @Test func everyExampleIsAnsweredAsItSays() async throws {
        let examples = try ContractExample.all()
        #expect(examples.count > 60)
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            for example in examples where example.isLive {
                var known: [(old: String, new: String)] = []
                for step in example.given {
                    let message = try await requester.ask(step, known)
                    let reply = try JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any]
                    for field in ["token", "generation"] {
                        guard let old = step.reply[field], let new = reply?[field] else { continue }
                        known.append(("\(old)", "\(new)"))
                    }
                }
                if let seconds = example.waitSeconds { try await Task.sleep(for: .seconds(seconds)) }
                let message = try await requester.ask(example.step, known)
                #expect(message.properties.type == example.replyType, "\(example.name): \(message.text)")
                let reply = try ContractExample.stable(JSONSerialization.jsonObject(with: Data(message.body)))
                #expect(reply == example.stableReply, "\(example.name)")
            }
        }
    }

    @Test func messagesOfEveryDeadLetterExampleEndWhereItSays() async throws {
        try await Scene.withWorker { scene, _ in
            let driver = try await Driver(url: scene.host.url)
            try await driver.consume("agora.tokens.dead")
            for name in ["missing-reply-to", "reply-to-not-allowed"] {
                let example = try #require(try ContractExample.deadLetter(name))
                let properties = DriverProperties(replyTo: example["replyTo"] as? String, messageID: name)
                let body = try JSONSerialization.data(withJSONObject: try #require(example["body"]))
                _ = try driver.publish(Array(body), to: "agora.tokens", key: "request", properties)
                let dead = try await firstAnswer(within: .seconds(20), "the dead letter \(name)") {
                    try driver.messages(in: "agora.tokens.dead").first { $0.properties.messageID == name }
                }
                for header in ["errorCode", "errorMessage", "originalQueue"] {
                    #expect(dead.properties.headers?[header]?.text == example[header] as? String)
                }
            }
        }
    }
}

extension Requester {
    /// Sends a message of an example, with what has other values now, and waits for the reply.
    fileprivate func ask(
        _ step: ContractExample.Step, _ known: [(old: String, new: String)]
    ) async throws -> DriverMessage {
        let body = known.reduce(step.body) { $0.replacingOccurrences(of: $1.old, with: $1.new) }
        return try await ask(
            body, step.kind, DriverProperties(headers: step.headers, messageID: step.messageID, type: step.type))
    }
}
