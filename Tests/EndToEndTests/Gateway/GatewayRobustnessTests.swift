// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// What the gateway does with bytes that no client of good will sends; the next one is served all the same.
@Suite(.timeLimit(.minutes(3)))
struct GatewayRobustnessTests {
    private static let simplest = #"{"uid":1234,"channelName":"test","role":1}"#

    private func withGateway(_ body: (GatewayProcess, UInt16) async throws -> Void) async throws {
        try await Scene.withWorker { scene, _ in
            let gateway = try GatewayProcess(url: scene.host.url)
            try await gateway.becomesReady()
            try await body(gateway, try await gateway.port())
            #expect(try await gateway.fetch(Self.simplest).status == 200, "it no longer serves")
            #expect(try await gateway.stop() == .code(0), "\(gateway.log.suffix(2000))")
        }
    }

    private func post(_ body: String, fields: [String] = []) -> String {
        let fields = ["Host: gateway", "Content-Length: \(body.utf8.count)"] + fields
        return "POST /fetch_rtc_token HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body
    }

    @Test func bytesThatAreNoHTTP() async throws {
        try await withGateway { _, port in
            var generator = SystemRandomNumberGenerator()
            let noise = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let samples: [[UInt8]] = [
                noise, Array("\r\n\r\n\r\n".utf8), [UInt8](repeating: 0, count: 5000),
                Array("POST\r\n\r\n".utf8), Array("POST /fetch_rtc_token HTTP/9.9\r\n\r\n".utf8),
                Array("POST /fetch_rtc_token HTTP/1.1\r\n\r\n".utf8),
                Array("\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}\u{00}\u{01}\u{FC}".utf8),
                Array("POST /fetch_rtc_token HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n".utf8),
                Array("POST /fetch_rtc_token HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n".utf8),
                Array("POST /fetch_rtc_token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".utf8),
            ]
            for sample in samples {
                let connection = try RawConnection(port: port)
                connection.send(sample)
                connection.finishSending()
                let answer = try await connection.untilClosed(within: .seconds(30))
                #expect(answer.isEmpty || answer.contains(/^HTTP\/1\.[01] [45]/), "\(sample.prefix(60)): \(answer)")
                #expect(!answer.contains("007"))
            }
        }
    }

    @Test func headsThatAreTooLarge() async throws {
        try await withGateway { _, port in
            let large = String(repeating: "a", count: 100_000)
            let many = String(repeating: "b=c; ", count: 20_000)
            for field in ["X-Large: \(large)", "Cookie: \(many)"] {
                let connection = try RawConnection(port: port)
                connection.send(post(Self.simplest, fields: [field]))
                let answer = try await connection.untilClosed(within: .seconds(30))
                #expect(answer.isEmpty || answer.contains(/^HTTP\/1\.1 4/), "\(answer)")
            }
            let connection = try RawConnection(port: port)
            connection.send("GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = try await connection.untilClosed(within: .seconds(30))
            #expect(answer.isEmpty || answer.contains(/^HTTP\/1\.1 4/), "\(answer)")
        }
    }

    @Test func bodiesThatAreTooLargeOrOfTwoLengths() async throws {
        try await withGateway { gateway, port in
            let large = String(repeating: " ", count: 16_385)
            let answer = try await gateway.fetch(large)
            #expect(answer.status == 413)
            #expect(try answer.json(Contract.ErrorReply.self).error.code == "message_too_large")
            let fits = Self.simplest + String(repeating: " ", count: 16_384 - Self.simplest.utf8.count)
            #expect(try await gateway.fetch(fits).status == 200)

            let chunked = try RawConnection(port: port)
            let chunk = "1000\r\n" + String(repeating: " ", count: 4096) + "\r\n"
            chunked.send("POST /fetch_rtc_token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<5 { chunked.send(chunk) }
            chunked.send("0\r\n\r\n")
            #expect(try await chunked.statuses(1, within: .seconds(20)) == ["413"])

            let endless = try RawConnection(port: port)
            endless.send("POST /fetch_rtc_token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<1000 where !endless.isClosed {
                endless.send(chunk)
            }
            #expect(try await endless.untilClosed(within: .seconds(20)).contains("200") == false)

            // What a proxy and the gateway could understand in two ways.
            for fields in [["Transfer-Encoding: chunked"], ["Content-Length: 1"], ["Transfer-Encoding: gzip"]] {
                let connection = try RawConnection(port: port)
                connection.send(post(Self.simplest, fields: fields))
                connection.finishSending()
                let answer = try await connection.untilClosed(within: .seconds(20))
                #expect(!answer.contains(" 200 "), "\(fields): \(answer)")
            }
        }
    }

    @Test func requestsInARow() async throws {
        try await withGateway { _, port in
            let connection = try RawConnection(port: port)
            let requests = [
                post(Self.simplest), post("{}"), "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n", post(Self.simplest),
            ]
            connection.send(requests.joined())
            #expect(try await connection.statuses(4, within: .seconds(20)) == ["200", "400", "200", "200"])
        }
    }

    @Test func clientsThatHangUpKeepNobodyElse() async throws {
        try await withGateway { gateway, port in
            for _ in 0..<20 {
                let connection = try RawConnection(port: port)
                connection.send(post(Self.simplest))
            }
            #expect(try await gateway.fetch(Self.simplest).status == 200)
        }
    }

    /// More connections than the gateway takes, each with the beginning of a request and a byte now and then.
    @Test func clientsThatAreSlowAreCutOff() async throws {
        try await withGateway { gateway, port in
            let connections = try (0..<300).map { _ in try RawConnection(port: port) }
            for (index, connection) in connections.enumerated() {
                connection.send(index % 2 == 0 ? "POST /fetch" : "POST /fetch_rtc_token HTTP/1.1\r\nHost: x\r\n")
                if index % 4 == 1 { connection.send("Content-Length: 100\r\n\r\n{") }
            }
            let start = ContinuousClock.now
            let served = Task { try await gateway.send("POST", body: Self.simplest, timeout: 60) }
            let dripping = Task {
                while !Task.isCancelled {
                    for connection in connections { connection.send(" ") }
                    try await Task.sleep(for: .seconds(1))
                }
            }
            #expect(try await served.value.status == 200)
            print("slow clients: the next one was served after \(ContinuousClock.now - start)")
            dripping.cancel()
            _ = await dripping.result
            try await eventually(within: .seconds(40), "the end of the slow ones") {
                connections.allSatisfy(\.isClosed)
            }
        }
    }
}
