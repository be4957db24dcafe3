// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport

/// OpenSSL's own server, which shakes hands as it is told and knows no AMQP.
struct TLSPeer {
    let port: UInt16
    private let process: ChildProcess

    /// Starts one that shows a certificate of ``Certificates``, with further options of `openssl s_server`.
    init(_ certificate: String, _ options: [String] = []) async throws {
        let certificates = try await Certificates.all
        let process = try ChildProcess(
            "openssl",
            [
                "s_server", "-accept", "127.0.0.1:0", "-cert", certificates.certificate(certificate), "-key",
                certificates.key(certificate),
            ] + options, writable: true)
        self.process = process
        port = try await firstAnswer(within: .seconds(10), "a port in \(process.output) \(process.errorText)") {
            let line = process.output.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") }
            return line.flatMap { UInt16($0.split(separator: ":").last ?? "") }
        }
    }

    /// What it says of its handshakes.
    var output: String { process.output + process.errorText }
}
