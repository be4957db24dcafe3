// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// A worker and a caller that reach the broker by TLS alone, and log in by certificate.
@Suite(.timeLimit(.minutes(2)))
struct EncryptionTests {
    @Test("L22, L23: TLS and EXTERNAL, set by the URL, with least permissions")
    func servesOverTLS() async throws {
        let certificates = try await Certificates.all
        let broker = try await PrivateBroker(certificates: certificates)
        try await Scene.with(on: broker.address) { scene in
            let management = scene.host.broker.management
            try await management.call("PUT", ["users", "worker"], body: #"{"password_hash":"","tags":""}"#)
            try await scene.host.allow(
                "worker", configure: #"^agora\.sqlite-owner$"#, write: #"^(agora\.|amq\.default$)"#, read: #"^agora\."#)
            func url(_ certificate: String) -> String {
                "amqps://localhost:\(broker.port + 1)/\(scene.host.name)?auth_mechanism=external"
                    + "&cacertfile=\(certificates.certificate("ca"))&certfile=\(certificates.certificate(certificate))"
                    + "&keyfile=\(certificates.key(certificate))"
            }
            let worker = try scene.worker(url: url("client"))
            let requester = try await Requester(url: scene.host.url)
            do {
                let reply = try await requester.token(#"{"channelName":"test","uid":1}"#)
                #expect(reply.token.hasPrefix("007"))
            } catch {
                throw TestFailure("\(error)\n\(worker.log.suffix(2000))")
            }
            #expect(try await worker.stop() == .code(0), "\(worker.log.suffix(2000))")

            let refused = try scene.worker(url: url("other-client"))
            try await eventually(within: .seconds(10), "a line about the certificate\n\(refused.log)") {
                refused.log.contains("refused the client certificate")
            }
        }
        try await broker.remove()
    }
}
