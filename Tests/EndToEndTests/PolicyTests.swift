// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// Who gets what, where a policy says so.
@Suite(.timeLimit(.minutes(4)))
struct PolicyTests {
    /// The contract's own examples of refusals, by a user that the broker has checked.
    @Test func refusalsReadAsTheContractSays() async throws {
        let policy = """
            {requireUser: true, rules: [
              {name: "orders", for: {users: ["orders*"]}, allow: {channels: ["test"], rate: {perSecond: 0.001, burst: 1}}},
            ]}
            """
        try await Scene.withWorker(policy: policy) { scene, _ in
            try await scene.host.withUser("orders") { user, url in
                let requester = try await Requester(url: url, noticesOf: "u-\(user)")
                let asUser = DriverProperties(userID: user)
                _ = try await requester.token(#"{"channelName":"test","uid":1}"#, .request, asUser)
                for name in ["policy-denied", "rate-limited"] {
                    let example = try #require(try ContractExample.all().first { $0.name == name })
                    let message = try await requester.ask(example.step.body, .request, asUser)
                    #expect(message.properties.type == example.replyType)
                    let reply = try ContractExample.stable(JSONSerialization.jsonObject(with: Data(message.body)))
                    let time = /in [0-9]+ m?s|"retryAfter" ?: ?[0-9]+/
                    #expect(
                        reply.replacing(time, with: "")
                            == example.stableReply.replacing("u-orders", with: "u-\(user)").replacing(time, with: ""))
                }
                // Whoever the broker has not checked gets nothing, whatever it calls itself.
                let nobody = try await requester.error(
                    #"{"channelName":"test","uid":1}"#, .request, DriverProperties(appID: user))
                #expect(nobody.code == "policy_denied" && nobody.message.contains("user_id") && !nobody.retryable)
            }
        }
    }

    @Test func operationsEndTheLeasesOfOthers() async throws {
        let policy = """
            {rules: [{name: "operations", for: {users: ["ops-*"]}, allow: {leases: "any"}}, {name: "all", allow: {}}]}
            """
        try await Scene.withWorker(policy: policy) { scene, worker in
            try await scene.host.withUser("ann") { ann, annURL in
                try await scene.host.withUser("ops") { ops, opsURL in
                    let owner = try await Requester(url: annURL, noticesOf: "u-\(ann)")
                    let operations = try await Requester(url: opsURL, noticesOf: "u-\(ops)")
                    let issued = try await owner.token(
                        #"{"channelName":"test","uid":1}"#, .request, DriverProperties(userID: ann))
                    let lease = #"{"leaseId":"\#(issued.leaseId ?? "")"}"#
                    let renewed = try await operations.token(lease, .renew, DriverProperties(userID: ops))
                    #expect(renewed.leaseId == issued.leaseId && renewed.token != issued.token)
                    let ended = try await operations.ask(lease, .cancel, DriverProperties(userID: ops))
                    #expect(ended.properties.type == "token.cancelled")
                    // Its owner is told.
                    let notice = try await owner.notice(within: .seconds(20), "cancelled") { $0.kind == "cancelled" }
                    #expect(notice.data.leaseId == issued.leaseId && notice.data.caller == "u-\(ann)")
                }
            }
            #expect(!worker.log.contains("no_policy") && worker.log.contains(#""event":"policy","rules":2"#))
        }
    }

    @Test func repliesStayWithTheirUser() async throws {
        try await Scene.withWorker(policy: "{ownReplyQueues: true}") { scene, _ in
            try await scene.host.withUser("ann") { ann, url in
                let requester = try await Requester(url: url, noticesOf: "u-\(ann)")
                let (own, others) = ("reply.\(ann).1", "reply.\(ann)x.1")
                for queue in [own, others] {
                    try await requester.driver.declare(queue)
                    try await requester.driver.consume(queue)
                }
                let body = Array(#"{"channelName":"test","uid":1}"#.utf8)
                _ = try requester.send(
                    body, .request, DriverProperties(replyTo: others, messageID: "lost", userID: ann))
                _ = try requester.send(body, .request, DriverProperties(replyTo: own, userID: ann))
                _ = try await firstAnswer(within: .seconds(20), "a reply") {
                    try requester.driver.messages(in: own).first
                }
                try await requester.driver.consume("agora.tokens.dead")
                let dead = try await firstAnswer(within: .seconds(20), "a dead letter") {
                    try requester.driver.messages(in: "agora.tokens.dead").first { $0.properties.messageID == "lost" }
                }
                #expect(dead.properties.headers?["errorCode"]?.text == "reply_to_not_allowed")
                #expect(try requester.driver.messages(in: others).isEmpty)
            }
        }
    }

    /// The policy at the moment of a renewal decides, not the one that the lease was made under.
    @Test func aLeaseThatPolicyNoLongerAllowsIsNotRenewedByItself() async throws {
        try await Scene.with { scene in
            let requester = try await Requester(url: scene.host.url)
            let first = try scene.worker()
            let until = Int(Date().timeIntervalSince1970) + 600
            let issued = try await requester.token(
                #"{"channelName":"test","uid":1,"expire":17,"notify":{"before":[5]},"autoRenew":{"until":\#(until)}}"#)
            #expect(try await first.stop() == .code(0))
            #expect(first.log.contains("no_policy") && first.log.contains("uid 0"))

            let audit = try Scene.file("", "audit.jsonl")
            let policy = try Scene.file(#"{rules: [{name: "closed", for: {channels: ["test"]}, deny: true}]}"#)
            let second = try scene.worker(arguments: ["--policy", policy, "--audit", audit])
            let failure = try await requester.notice(within: .seconds(40), "renewal_failed\n\(second.log)") {
                $0.kind == "renewal_failed"
            }
            #expect(failure.data.reason == "policy_denied" && failure.data.generation == issued.generation)
            _ = try await requester.notice(within: .seconds(20), "expired") { $0.kind == "expired" }
            #expect(try requester.driver.messages(in: requester.replies).count == 1)
            let lines = try String(contentsOfFile: audit, encoding: .utf8).split(separator: "\n")
            // One line, though it was tried again as long as the token was valid.
            #expect(lines.count == 1 && lines[0].contains(#""kind":"auto_renew""#))
            #expect(lines.allSatisfy { $0.contains(#""rule":"closed""#) && $0.contains(#""code":"policy_denied""#) })
            #expect(try await second.stop() == .code(0))
        }
    }

    private func run(_ arguments: [String], policy: String) async throws -> (
        exit: ChildProcess.Exit, child: ChildProcess
    ) {
        let child = try ChildProcess(
            TestEnvironment.binary, arguments,
            environment: [
                "AGORA_APP_ID": WorkerProcess.appID, "AGORA_APP_CERTIFICATE": WorkerProcess.certificate,
                "AMQP_URL": "amqp://localhost", "DATABASE_URL": "none", "AGORA_TOKEN_POLICY": policy,
            ])
        return (try await child.wait(within: .seconds(20)), child)
    }

    @Test func theCommandSaysWhichRuleDecides() async throws {
        let policy = try Scene.file(
            """
            {rules: [
              {name: "operations", for: {users: ["ops"]}, allow: {wildcardUser: true}},
              {name: "orders", for: {users: ["orders"], apps: ["orders"]}, allow: {channels: ["orders-*"]}},
            ]}
            """)
        let body = #"{"channelName":"orders-1","uid":1}"#
        let allowed = try await run(["policy", "test", "--user", "orders", body], policy: policy)
        #expect(allowed.exit == .code(0))
        #expect(
            allowed.child.output
                == "allowed by rule \"orders\"\n  not by rule \"operations\": it is for the users ops\n")
        let file = try Scene.file(#"{"requests":[\#(body),{"channelName":"hr","uid":1}]}"#, "body.json")
        let denied = try await run(
            ["policy", "test", "--app-id", "orders", "--file", file, "--kind", "request", "--json"], policy: policy)
        #expect(denied.exit == .code(1))
        struct Verdict: Decodable {
            var allowed: Bool
            var caller: String
            var rule: String?
            var message: String?
            var passed: [[String: String]]
        }
        let verdicts = try JSONDecoder().decode([Verdict].self, from: Data(denied.child.output.utf8))
        #expect(verdicts.map(\.allowed) == [true, false] && verdicts.allSatisfy { $0.caller == "a-orders" })
        #expect(verdicts[1].rule == "orders" && verdicts[1].passed.map { $0["rule"] } == ["operations"])
        #expect(verdicts[1].message == #"rule "orders" does not allow the channel "hr" to a-orders"#)
        let token = try await ChildProcess.run(
            TestEnvironment.binary, ["sign", "--channel", "orders-2", "--uid", "0"],
            environment: ["AGORA_APP_ID": WorkerProcess.appID, "AGORA_APP_CERTIFICATE": WorkerProcess.certificate])
        for (kind, code) in [("renew", Int32(1)), ("cancel", 0), ("explain", 0)] {
            let body = #"{"token":"\#(token.dropLast())"}"#
            let answer = try await run(["policy", "test", "--user", "orders", "--kind", kind, body], policy: policy)
            #expect(answer.exit == .code(code), "\(kind): \(answer.child.output)\(answer.child.errorText)")
        }
        #expect(try await run(["policy", "test", "{"], policy: policy).exit == .code(2))
        #expect(try await run(["policy", "test", "--kind", "x", body], policy: policy).exit == .code(2))
    }

    @Test func theConfigurationCheckReadsThePolicy() async throws {
        let good = try await run(["config", "check"], policy: Scene.file("{requireUser: true, rules: []}"))
        #expect(good.exit == .code(0) && good.child.output.contains("0 rules, users of the broker only"))
        for (text, place) in [
            ("{rules: [{name: 'a', allow: {maxExpire: 90000}}]}", "rules[0].allow.maxExpire: is 90000"),
            ("{rules: [{name: 'a', alow: {}}]}", "rules[0].allow: is missing"), ("{rules: ", "is not JSON5"),
        ] {
            let path = try Scene.file(text)
            let bad = try await run(["config", "check"], policy: path)
            #expect(bad.exit == .code(3) && bad.child.errorText.split(separator: "\n").count == 1)
            #expect(bad.child.errorText.contains(place) && bad.child.errorText.contains(path))
        }
    }
}
