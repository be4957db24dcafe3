// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import TestSupport
import Testing

/// The gateway without a worker, without a broker, wrongly set up, and at its end.
@Suite(.timeLimit(.minutes(3)))
struct GatewayFaultTests {
    private static let simplest = #"{"uid":1234,"channelName":"test","role":1}"#

    private func expectUnavailable(_ gateway: GatewayProcess, _ code: String) async throws {
        let start = ContinuousClock.now
        let answer = try await gateway.fetch(Self.simplest)
        let time = ContinuousClock.now - start
        #expect(answer.status == 503, "\(answer.body)")
        #expect(answer.fields["retry-after"].flatMap { Int($0) } != nil)
        let error = try answer.json(Contract.ErrorReply.self).error
        #expect(error.code == code && error.retryable)
        // It takes 8 s at most, and sample clients wait for 10: what a busy machine adds may come between.
        #expect(time < .seconds(10), "\(time)")
    }

    @Test func withoutAWorkerItSaysSoInTime() async throws {
        try await Scene.with { scene in
            let gateway = try GatewayProcess(url: scene.host.url)
            try await gateway.becomesReady()
            try await expectUnavailable(gateway, "no_worker")
            #expect(try await gateway.stop() == .code(0))
        }
    }

    @Test func withoutABrokerItSaysSoAndIsNotReady() async throws {
        // Nobody listens at port 1 of this machine.
        let gateway = try GatewayProcess(url: "amqp://guest:the-password@127.0.0.1:1")
        try await expectUnavailable(gateway, "broker_unavailable")
        let ready = try await gateway.send("GET", "/readyz")
        #expect(ready.status == 503 && ready.body.hasPrefix("not ready\nrequests: "))
        #expect(try await gateway.send("GET", "/livez").status == 200)
        let answer = try await gateway.fetch(Self.simplest)
        #expect(!answer.body.contains("127.0.0.1"), "an app learns where the broker is")
        #expect(!gateway.log.contains("the-password"))
        #expect(try await gateway.stop() == .code(0))
    }

    @Test func atItsEndItAnswersWhatItHasAndTakesNoMore() async throws {
        try await Scene.with { scene in
            let gateway = try GatewayProcess(url: scene.host.url)
            try await gateway.becomesReady()
            let port = try await gateway.port()
            // A worker that answers when the test says so.
            let driver = try await Driver(url: scene.host.url)
            try await driver.consume("agora.tokens.request")
            let pending = Task { try await gateway.fetch(Self.simplest) }
            let request = try await firstAnswer(within: .seconds(20), "the request") {
                try driver.messages(in: "agora.tokens.request").first
            }
            gateway.signal(SIGTERM)
            try await eventually(within: .seconds(20), "the gateway takes no connection") {
                (try? RawConnection(port: port)) == nil
            }
            // It reads nothing again, and is in no more hurry for it.
            gateway.signal(SIGHUP)
            try await Task.sleep(for: .seconds(1))
            let reply =
                #"{"token":"007-late","appId":"x","service":"rtc","channelName":"test","uid":1234,"issuedAt":1,"#
                + #""expiresAt":3601,"expiresIn":3600,"renewAfter":2401,"notifyBefore":[],"privileges":{},"#
                + #""scheduled":false,"warnings":[]}"#
            _ = try driver.publish(
                Array(reply.utf8), to: "", key: request.properties.replyTo ?? "",
                DriverProperties(correlationID: request.properties.correlationID, type: "token.issued"))
            let answer = try await pending.value
            #expect(answer.status == 200 && answer.body.contains("007-late"), "\(answer.body)")
            #expect(answer.fields["connection"]?.lowercased() == "close")
            #expect(try await gateway.wait(within: .seconds(20)) == .code(0))
        }
    }

    @Test func whatPolicyForbidsItForbidsOverHTTP() async throws {
        let policy = """
            {rules: [{name: "apps", for: {apps: ["gateway"]},
              allow: {channels: ["app-*"], rate: {perSecond: 0.001, burst: 1}}}]}
            """
        try await Scene.withWorker(policy: policy) { scene, _ in
            let gateway = try GatewayProcess(url: scene.host.url, arguments: ["--as-application", "gateway"])
            try await gateway.becomesReady()
            let samples = [
                (#"{"uid":1,"channelName":"other"}"#, 403, "policy_denied"),
                (#"{"uid":0,"channelName":"app-1"}"#, 403, "policy_denied"),
                (#"{"uid":1,"channelName":"app-1"}"#, 200, ""),
                (#"{"uid":1,"channelName":"app-1"}"#, 429, "rate_limited"),
            ]
            for (body, status, code) in samples {
                let answer = try await gateway.fetch(body)
                #expect(answer.status == status, "\(body): \(answer.body)")
                if status == 200 { continue }
                let error = try answer.json(Contract.ErrorReply.self).error
                #expect(error.code == code && error.message.contains("apps"), "\(answer.body)")
                let wait = answer.fields["retry-after"].flatMap { Int($0) }
                // A thousand seconds after the first one, which was a moment ago.
                #expect(status == 429 ? wait.map { (900...1000).contains($0) } == true : wait == nil, "\(wait ?? 0)")
            }
            #expect(try await gateway.stop() == .code(0))
        }
    }

    @Test(
        "B16: a wrong setting stops the start with one line that names it",
        arguments: [
            (["--listen", "0.0.0.0:0"], [:], "--listen: 0.0.0.0:0 can be reached by others"),
            (["--listen", "[::]:0"], [:], "--listen: [::]:0 can be reached by others"),
            (["--listen", "off"], [:], "--listen: a gateway that is off"),
            (["--listen", "nowhere"], [:], "--listen: \"nowhere\" is not HOST:PORT"),
            (
                ["--listen", "127.0.0.1:1"], ["AGORA_TOKEN_GATEWAY_SECRET": "short"],
                "AGORA_TOKEN_GATEWAY_SECRET: the secret"
            ),
            ([], ["AGORA_TOKEN_GATEWAY_SECRET": "with spaces in its middle"], "AGORA_TOKEN_GATEWAY_SECRET: the secret"),
            ([], ["AGORA_TOKEN_ALLOW_ORIGIN": "app.example.com"], "AGORA_TOKEN_ALLOW_ORIGIN: \"app.example.com\""),
            (["--secret-file", "/nowhere"], [:], "--secret-file: /nowhere: No such file"),
        ] as [([String], [String: String], String)])
    func aWrongSettingStopsTheStartWithOneLine(
        _ arguments: [String], _ environment: [String: String], _ complaint: String
    ) async throws {
        let gateway = try GatewayProcess(
            url: "amqp://127.0.0.1:1", arguments: arguments, environment: environment)
        #expect(try await gateway.wait(within: .seconds(20)) == .code(3))
        #expect(gateway.log.hasPrefix("agora-token gateway: \(complaint)"), "\(gateway.log)")
        #expect(gateway.log.split(separator: "\n").count == 1)
        if let secret = environment["AGORA_TOKEN_GATEWAY_SECRET"] { #expect(!gateway.log.contains(secret)) }
    }
}
