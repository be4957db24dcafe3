// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// A wrong setting stops the start with one line that names it, before anything is consumed.
@Suite(.timeLimit(.minutes(2)))
struct ConfigurationTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var environment: [String: String]
        /// One of these is in the line.
        var names: [String]

        init(_ description: String, _ environment: [String: String], names: String...) {
            testDescription = description
            self.environment = environment
            self.names = names
        }
    }

    static let faults = [
        Fault("no certificate", ["AGORA_APP_CERTIFICATE": ""], names: "AGORA_APP_CERTIFICATE"),
        Fault("short certificate", ["AGORA_APP_CERTIFICATE": "5CFd2fd1755d"], names: "AGORA_APP_CERTIFICATE"),
        Fault(
            "certificate not of hexadecimal digits", ["AGORA_APP_CERTIFICATE": String(repeating: "z", count: 32)],
            names: "AGORA_APP_CERTIFICATE"),
        Fault(
            "certificate file that is not there",
            ["AGORA_APP_CERTIFICATE": "", "AGORA_APP_CERTIFICATE_FILE": "/nowhere/certificate"],
            names: "AGORA_APP_CERTIFICATE_FILE"),
        Fault("no project", ["AGORA_APP_ID": ""], names: "AGORA_APP_ID"),
        Fault(
            "project a character short", ["AGORA_APP_ID": String(WorkerProcess.appID.dropLast())], names: "AGORA_APP_ID"
        ),
        Fault("malformed project", ["AGORA_APP_ID": "my app"], names: "AGORA_APP_ID"),
        Fault("AMQP URL of another scheme", ["AMQP_URL": "http://localhost:5672"], names: "AMQP_URL"),
        Fault("AMQP URL with a bad port", ["AMQP_URL": "amqp://localhost:99999"], names: "AMQP_URL"),
        Fault("unknown kind of store", ["DATABASE_URL": "mysql://localhost"], names: "DATABASE_URL", "store"),
        Fault(
            "database in a missing folder", ["DATABASE_URL": "sqlite:/nowhere/leases.sqlite"], names: "DATABASE_URL",
            "/nowhere"),
    ]

    @Test("B16: one line names the setting, before anything is consumed", arguments: faults)
    func oneLineThatNamesTheSetting(_ fault: Fault) async throws {
        try await VirtualHost.with { host in
            let worker = try WorkerProcess(
                url: host.url, database: WorkerProcess.newDatabase(), environment: fault.environment)
            let exit = try await worker.wait(within: .seconds(20))
            let lines = worker.log.split(separator: "\n")
            #expect(exit == .code(3), "\(worker.log)")
            #expect(lines.count == 1, "\(worker.log)")
            #expect(fault.names.contains { lines.first?.contains($0) == true }, "\(worker.log)")
            #expect(!worker.log.contains(WorkerProcess.certificate))
            for value in fault.environment.values where value.count == 32 { #expect(!worker.log.contains(value)) }
        }
    }

    @Test func checkFindsTheSame() async throws {
        let good = [
            "AGORA_APP_ID": WorkerProcess.appID, "AGORA_APP_CERTIFICATE": WorkerProcess.certificate,
            "AMQP_URL": "amqp://localhost", "DATABASE_URL": WorkerProcess.newDatabase(),
        ]
        try await ChildProcess.run(TestEnvironment.binary, ["config", "check"], environment: good)
        let bad = try ChildProcess(
            TestEnvironment.binary, ["config", "check"],
            environment: good.merging(["AGORA_APP_CERTIFICATE": "short"]) { $1 })
        #expect(try await bad.wait(within: .seconds(20)) == .code(3))
        #expect(bad.errorText.split(separator: "\n").count == 1)
        #expect(bad.errorText.contains("AGORA_APP_CERTIFICATE"))
    }
}
