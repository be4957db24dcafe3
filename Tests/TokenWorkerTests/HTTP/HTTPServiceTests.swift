// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import FoundationNetworking
import Synchronization
import Testing

@testable import TokenWorker

/// Services that take their time, and the end of a server.
@Suite(.timeLimit(.minutes(2))) struct HTTPServiceTests {
    /// Answers with the body it got, when it is told to.
    private final class Patient: HTTPService {
        typealias Reply = @Sendable (HTTPAnswer) -> Void
        let waiting = Mutex<[(HTTPRequest, Reply)]>([])

        func answer(_ request: HTTPRequest, _ reply: @escaping Reply) {
            waiting.withLock { $0.append((request, reply)) }
        }

        func answerAll() {
            let all = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for (request, reply) in all {
                reply(HTTPAnswer(status: 200, json: request.body))
                reply(HTTPAnswer(status: 500, lines: ["a second answer"]))
            }
        }

        var count: Int { waiting.withLock { $0.count } }
    }

    private func start(_ service: Patient, limits: HTTPLimits = HTTPLimits()) throws -> HTTPServer {
        try HTTPServer(
            ListeningSocket(host: "127.0.0.1", port: 0), host: "127.0.0.1", limits: limits, service: service)
    }

    private func post(_ server: HTTPServer, _ body: String) async throws -> (Int, String) {
        let url = try #require(URL(string: "http://\(server.address)/"))
        var request = URLRequest(url: url, timeoutInterval: 60)
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        let (data, response) = try await URLSession.shared.data(for: request)
        return (try #require(response as? HTTPURLResponse).statusCode, String(decoding: data, as: UTF8.self))
    }

    private func until(_ holds: () -> Bool) async throws {
        while !holds() { try await Task.sleep(for: .milliseconds(10)) }
    }

    @Test func answersWhenItCan() async throws {
        let service = Patient()
        let server = try start(service)
        let answers = (0..<5).map { number in Task { try await post(server, "\(number)") } }
        try await until { service.count == 5 }
        service.answerAll()
        for (number, answer) in answers.enumerated() { #expect(try await answer.value == (200, "\(number)")) }
    }

    @Test func theEndWaitsForAnswers() async throws {
        let service = Patient()
        let server = try start(service)
        let answer = Task { try await post(server, "late") }
        try await until { service.count == 1 }
        let end = Task { server.stop(within: .seconds(30)) }
        service.answerAll()
        #expect(try await answer.value == (200, "late"))
        #expect(await end.value)
    }

    @Test func whatIsNotAnsweredInTimeHearsThatTheServerIsStopping() async throws {
        let service = Patient()
        let server = try start(service)
        let answer = Task { try await post(server, "never") }
        try await until { service.count == 1 }
        #expect(!server.stop(within: .milliseconds(100)))
        #expect(try await answer.value.0 == 503)
        service.answerAll()
    }

    @Test func aServerThatIsLetGoAnswersWhatItHas() async throws {
        let service = Patient()
        var server: HTTPServer? = try start(service)
        let address = try #require(server?.address)
        let url = try #require(URL(string: "http://\(address)/"))
        let answer = Task { try await URLSession.shared.data(from: url).1 as? HTTPURLResponse }
        try await until { service.count == 1 }
        server = nil
        #expect(try await answer.value?.statusCode == 503)
    }

    @Test(
        arguments: [
            ([("Content-Length", "5")], nil), ([("Content-Length", "11")], .bodyTooLarge(limit: 10)),
            ([("content-length", "5"), ("Content-Length", "5")], .ambiguousLength),
            ([("Content-Length", "5"), ("Transfer-Encoding", "chunked")], .ambiguousLength),
            ([("Transfer-Encoding", "Chunked")], nil), ([("Transfer-Encoding", "gzip, chunked")], .unknownCoding),
            ([("Content-Length", "x")], .bodyTooLarge(limit: 10)), ([], nil),
        ] as [([(String, String)], HTTPFault?)])
    func whatAHeadSaysOfItsBody(_ fields: [(String, String)], _ fault: HTTPFault?) {
        let request = HTTPRequest(method: "POST", path: "/", fields: fields.map { HTTPField($0.0, $0.1) })
        #expect(request.fault(bodyLimit: 10) == fault)
    }

    @Test func onlyLoopbackAddresses() throws {
        for host in ["127.0.0.1", "127.9.9.9", "::1", "localhost"] {
            // Not every machine has IPv6.
            guard let socket = try? ListeningSocket(host: host, port: 0) else { continue }
            close(socket.descriptor)
            close(try ListeningSocket(host: host, port: 0, onlyLoopback: true).descriptor)
        }
        for host in ["0.0.0.0", "::", "192.0.2.1"] {
            #expect {
                try ListeningSocket(host: host, port: 0, onlyLoopback: true)
            } throws: { error in
                (error as? ListeningSocket.Failure)?.isOpenToOthers == true
            }
        }
    }
}
