// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Foundation
import TestSupport
import Testing

/// Whom an encrypted connection refuses, and how that is told; the peer is OpenSSL's own server.
@Suite(.timeLimit(.minutes(1))) struct TLSRefusalTests {
    private func failure(
        _ peer: TLSPeer, host: String = "127.0.0.1", _ adapt: (inout TLSSettings) -> Void = { _ in }
    ) async throws -> AMQPError? {
        let certificates = try await Certificates.all
        var configuration = try quickConfiguration("amqps://\(host):\(peer.port)")
        configuration.handshakeTimeout = .seconds(2)
        configuration.endpoints[0].tls.authorityFile = certificates.certificate("ca")
        adapt(&configuration.endpoints[0].tls)
        let error = #expect(throws: AMQPError.self) { try Topology(configuration) }
        #expect(error?.text.contains("\n") == false)
        return error
    }

    @Test(
        "L22: a certificate for another name is refused, and both are named",
        arguments: [
            ("127.0.0.1", nil, "is not for '127.0.0.1'"), ("localhost", nil, "is not for 'localhost'"),
            ("127.0.0.1", "rabbit.test", "is not for 'rabbit.test'"),
        ])
    func refusesOtherNames(_ host: String, _ serverName: String?, _ expected: String) async throws {
        let error = try await failure(TLSPeer("wrong-name"), host: host) { $0.serverName = serverName }
        #expect(error?.code == .tlsFailed)
        #expect(error?.text.contains(expected) == true)
    }

    @Test("L22: an expired certificate is refused")
    func refusesExpired() async throws {
        let error = try await failure(TLSPeer("expired"))
        #expect(error?.code == .tlsFailed)
        #expect(error?.text.contains("the broker's certificate has expired") == true)
    }

    @Test("L22: another authority, and none of the system's, is refused", arguments: ["other-ca", nil])
    func refusesOtherAuthorities(_ authority: String?) async throws {
        let certificates = try await Certificates.all
        let error = try await failure(TLSPeer("server")) { $0.authorityFile = authority.map(certificates.certificate) }
        #expect(error?.code == .tlsFailed)
        #expect(error?.text.contains("is not signed by a trusted authority") == true)
    }

    @Test("L22: what verify=verify_none lets pass fails later, for want of AMQP")
    func acceptsAnybodyOnRequest() async throws {
        let error = try await failure(TLSPeer("expired")) { $0.verifiesBroker = false }
        #expect(error?.code == .timedOut)
    }

    @Test("L22: the name that is sent is the one asked for, and an address is not sent")
    func sendsTheServerName() async throws {
        let certificates = try await Certificates.all
        let options = [
            "-servername", "localhost", "-cert2", certificates.certificate("server"), "-key2",
            certificates.key("server"),
        ]
        let peer = try await TLSPeer("server", options)
        _ = try await failure(peer) { $0.serverName = "rabbit.test" }
        try await eventually(within: .seconds(5), "the name in \(peer.output)") { peer.output.contains("rabbit.test") }
        let quiet = try await TLSPeer("server", options)
        _ = try await failure(quiet)
        #expect(quiet.output.contains("BEGIN SSL SESSION"), "it has shaken hands")
        #expect(!quiet.output.contains("Hostname in TLS extension"))
    }

    @Test("L22: TLS 1.1 is refused")
    func refusesOldVersions() async throws {
        let error = try await failure(TLSPeer("server", ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]))
        #expect(error?.code == .tlsFailed)
    }

    @Test("L22: a peer that wants a certificate is told from one that is wrong", arguments: ["-tls1_2", "-tls1_3"])
    func wantsACertificate(_ version: String) async throws {
        let certificates = try await Certificates.all
        let peer = try await TLSPeer("server", [version, "-Verify", "1", "-CAfile", certificates.certificate("ca")])
        let error = try await failure(peer)
        #expect(error?.code == .tlsFailed || error?.code == .disconnected)
        #expect(error?.text.contains("wants") == true)
    }

    @Test("L22: a peer without TLS is told as such")
    func tellsPlainPeers() async throws {
        let shared = try AMQPURL(parsing: try await SharedBroker.address.url)
        let error = #expect(throws: AMQPError.self) {
            try Topology(quickConfiguration("amqps://127.0.0.1:\(shared.port)"))
        }
        #expect(error?.code == .tlsFailed)
    }

    @Test(
        "L22: a file that cannot be used ends the attempt, and is named",
        arguments: ["authorityFile", "certificateFile", "keyFile", "a key of another certificate", "no certificate"])
    func namesUnusableFiles(_ setting: String) async throws {
        let certificates = try await Certificates.all
        let missing = certificates.folder + "/missing.pem"
        let error = try await failure(TLSPeer("server")) { tls in
            switch setting {
            case "authorityFile": tls.authorityFile = missing
            case "certificateFile": tls.certificateFile = missing
            case "keyFile":
                tls.certificateFile = certificates.certificate("client")
                tls.keyFile = missing
            case "no certificate": tls.keyFile = certificates.key("client")
            default:
                tls.certificateFile = certificates.certificate("client")
                tls.keyFile = certificates.key("server")
            }
        }
        #expect(error?.code == .tlsFailed)
        switch setting {
        case "a key of another certificate": #expect(error?.text.contains(certificates.key("server")) == true)
        case "no certificate": #expect(error?.text.contains("no certfile") == true)
        default: #expect(error?.text.contains(missing) == true)
        }
    }
}
