// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import FoundationNetworking
import Testing

@testable import TokenWorker

/// The pages as an HTTP client that shares no code with the server gets them.
@Suite(.timeLimit(.minutes(1))) struct HTTPServerTests {
    private func start(port: UInt16 = 0) throws -> HTTPServer {
        try HTTPServer(host: "127.0.0.1", port: port) { path in
            path == "/page" ? HTTPAnswer(status: 503, lines: ["not ready", "store: ä"]) : nil
        }
    }

    private func port(of server: HTTPServer) throws -> UInt16 {
        guard case .port(let port, _) = server.address else { throw CancellationError() }
        return port
    }

    private func get(_ server: HTTPServer, _ path: String, _ method: String = "GET") async throws -> (Int, String) {
        let url = try #require(URL(string: "http://\(server.address)\(path)"))
        var request = URLRequest(url: url, timeoutInterval: 10)
        request.httpMethod = method
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = try #require(response as? HTTPURLResponse).statusCode
        return (status, String(decoding: data, as: UTF8.self))
    }

    @Test func answers() async throws {
        let server = try start()
        #expect(try await get(server, "/page") == (503, "not ready\nstore: ä\n"))
        #expect(try await get(server, "/page?verbose") == (503, "not ready\nstore: ä\n"))
        #expect(try await get(server, "/page", "HEAD") == (503, ""))
        #expect(try await get(server, "/other").0 == 404)
        #expect(try await get(server, "/page", "DELETE").0 == 405)
    }

    @Test func aTakenPortIsSaid() throws {
        let first = try start()
        let port = try port(of: first)
        #expect(performing: { try start(port: port) }, throws: { "\($0)" == "Address already in use" })
        withExtendedLifetime(first) {}
    }

    @Test func thePortIsFreeAfterwards() throws {
        let port = try ReservedPort()
        for _ in 0..<2 {
            let server = try start(port: port.number)
            #expect(try self.port(of: server) == port.number)
        }
        withExtendedLifetime(port) {}
    }

    @Test(arguments: [
        ("127.0.0.1:9419", HTTPAddress.port(9419, host: "127.0.0.1")), ("[::1]:80", .port(80, host: "::1")),
        ("localhost:0", .port(0, host: "localhost")), ("off", .off), ("none", .off),
    ])
    func addresses(_ text: String, _ address: HTTPAddress) throws {
        #expect(try HTTPAddress(.init(text: text, origin: "--http")) == address)
    }

    @Test(arguments: ["", "9419", ":9419", "host:", "host:65536", "::1:80", "host:x", "http://host:80"])
    func noAddresses(_ text: String) {
        #expect(throws: ConfigurationError.self) { try HTTPAddress(.init(text: text, origin: "--http")) }
    }

    @Test(
        arguments: [
            ("127.0.0.1:9419", "http://127.0.0.1:9419"), ("0.0.0.0:80", "http://127.0.0.1:80"),
            ("[::]:80", "http://[::1]:80"),
            ("worker.test:9419", "http://worker.test:9419"), ("127.0.0.1:0", nil), ("off", nil),
        ] as [(String, String?)])
    func whereAProcessBesideItAsks(_ text: String, _ url: String?) throws {
        #expect(try HTTPAddress(.init(text: text, origin: "--http")).localURL == url)
    }
}
