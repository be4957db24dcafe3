// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// What a gateway tells monitoring and the service manager.
@Suite(.timeLimit(.minutes(3)))
struct GatewayMonitoringTests {
    private static let simplest = #"{"uid":1234,"channelName":"test","role":1}"#

    /// The lines of the metrics that are not comments.
    private func samples(_ gateway: GatewayProcess) async throws -> [String] {
        let page = try await gateway.page("/metrics")
        #expect(page.status == 200 && page.fields["content-type"]?.contains("version=0.0.4") == true)
        return page.body.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    }

    @Test func requestsAreCountedByPathAndCode() async throws {
        try await Scene.withWorker { scene, _ in
            let gateway = try GatewayProcess(url: scene.host.url)
            try await gateway.becomesReady()
            let token = try await gateway.token(Self.simplest).token
            _ = try await gateway.token(Self.simplest)
            #expect(try await gateway.fetch(#"{"uid":"1","channelName":"test"}"#).status == 400)
            #expect(try await gateway.send("POST", "/a-\(token)", body: "x").status == 404)
            #expect(try await gateway.send("GET", "/livez").status == 200)
            let samples = try await samples(gateway)
            let requests = "agora_token_gateway_requests_total"
            let tokens = #"path="/fetch_rtc_token""#
            for line in [
                #"\#(requests){\#(tokens),code="none"} 2"#, #"\#(requests){\#(tokens),code="invalid_uid"} 1"#,
                #"\#(requests){\#(tokens),code="no_worker"} 0"#, #"\#(requests){path="other",code="not_found"} 1"#,
                #"\#(requests){path="/livez",code="none"} 1"#,
                "agora_token_gateway_request_duration_seconds_count{\(tokens)} 3",
                #"agora_token_gateway_broker_connected{connection="requests"} 1"#,
                #"agora_token_gateway_broker_connected{connection="replies"} 1"#, "agora_token_gateway_ready 1",
            ] { #expect(samples.contains(line), "\(line)\n\(samples.joined(separator: "\n"))") }
            #expect(!samples.joined().contains(token.dropFirst(3)))
            for path in ["/livez", "/readyz"] { #expect(try await gateway.page(path).status == 200) }
            #expect(try await gateway.page("/fetch_rtc_token").status == 404, "clients are served elsewhere")
            #expect(try await gateway.stop() == .code(0))
        }
    }

    @Test func withoutABrokerItIsAliveAndNotReady() async throws {
        // Nobody listens at port 1 of this machine.
        let gateway = try GatewayProcess(url: "amqp://guest:guest@127.0.0.1:1")
        let ready = try await gateway.page("/readyz")
        #expect(ready.status == 503 && ready.body.hasPrefix("not ready\nrequests: "), "\(ready.body)")
        #expect(ready.body.hasSuffix("\nhttp: ok\n"), "\(ready.body)")
        #expect(try await gateway.page("/livez").body == "alive\n")
        #expect(try await gateway.fetch(Self.simplest).status == 503)
        let samples = try await samples(gateway)
        for line in [
            #"agora_token_gateway_requests_total{path="/fetch_rtc_token",code="broker_unavailable"} 1"#,
            #"agora_token_gateway_broker_connected{connection="requests"} 0"#,
            #"agora_token_gateway_broker_connected{connection="replies"} 0"#, "agora_token_gateway_ready 0",
        ] { #expect(samples.contains(line), "\(line)\n\(samples.joined(separator: "\n"))") }
        #expect(try await gateway.stop() == .code(0))
    }

    @Test func anAddressThatIsTaken() async throws {
        let first = try GatewayProcess(url: "amqp://guest:guest@127.0.0.1:1")
        let address = try await first.monitoringAddress()
        let second = try GatewayProcess(url: "amqp://guest:guest@127.0.0.1:1", arguments: ["--http", address])
        #expect(try await second.wait(within: .seconds(20)) == .code(3))
        #expect(second.log.contains("--http: \(address): Address already in use"), "\(second.log)")
        let off = try GatewayProcess(url: "amqp://guest:guest@127.0.0.1:1", arguments: ["--http", "off"])
        #expect(try await off.send("GET", "/livez").status == 200)
        #expect(!off.log.contains("serves_metrics"))
        for gateway in [first, off] { #expect(try await gateway.stop() == .code(0)) }
    }

    @Test func theServiceManagerHearsOfItsLife() async throws {
        try await Scene.with { scene in
            let manager = try await ServiceManager()
            let gateway = try GatewayProcess(
                url: scene.host.url, environment: manager.environment(watchdog: .seconds(3)))
            try await eventually(within: .seconds(30), "READY=1\n\(manager.heard)\n\(gateway.log)") {
                manager.heard.contains { $0.hasPrefix("READY=1|STATUS=ready") }
            }
            let before = manager.heard.count { $0.hasSuffix("WATCHDOG=1") }
            try await eventually(within: .seconds(20), "two more words for the watchdog") {
                manager.heard.count { $0.hasSuffix("WATCHDOG=1") } >= before + 2
            }
            #expect(try await gateway.stop() == .code(0))
            try await eventually(within: .seconds(10), "the end\n\(manager.heard)") {
                manager.heard.contains("STOPPING=1|STATUS=stopping")
            }
        }
    }
}
