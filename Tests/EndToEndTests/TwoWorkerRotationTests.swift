// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import TestSupport
import Testing

/// A certificate is changed at two workers on one database, one after the other, while requests come.
@Suite(.timeLimit(.minutes(3)))
struct TwoWorkerRotationTests {
    private let spot = ConfigurationSpot()

    private func reload(_ worker: WorkerProcess) async throws {
        let event = #""event":"reloaded""#
        let before = worker.log.split(separator: "\n").count { $0.contains(event) }
        worker.signal(SIGHUP)
        try await eventually(within: .seconds(20), "a reload\n\(worker.log.suffix(2000))") {
            worker.log.split(separator: "\n").count { $0.contains(event) } > before
        }
    }

    /// Waits until these workers, and no others, are said to sign with the certificate in a slot.
    private func expectSigners(
        _ workers: [WorkerProcess], _ slot: String, _ database: PrivatePostgres
    ) async throws {
        let processes = Set(workers.map { String($0.processID) })
        var last = CertificateStatus?.none
        try await eventually(within: .seconds(40), "\(slot) for \(processes): \(String(describing: last))") {
            last = try await CertificateStatus.read(spot, database: database.url)
            let signers = try last?.entry(slot).signers ?? []
            return Set(signers.compactMap { $0.split(separator: "/").last.map(String.init) }) == processes
        }
    }

    @Test func oneAfterTheOther() async throws {
        let database = try await PrivatePostgres()
        try await database.migrate()
        try await Scene.with { scene in
            try spot.write(active: "primary")
            let workers = try (0..<2).map { _ in
                try WorkerProcess(url: scene.host.url, database: database.url, environment: spot.environment)
            }
            for worker in workers { try await worker.becomes(ready: true, within: .seconds(30)) }
            let requester = try await Requester(url: scene.host.url)
            let early = try await requester.token(#"{"channelName":"early","uid":1}"#)
            try await expectSigners(workers, "primary", database)
            let load = Load(requester)
            try await load.publish { [self] in
                try spot.write(active: "secondary")
                try await reload(workers[0])
                // Between the two each signs with its own.
                try await expectSigners([workers[0]], "secondary", database)
                try await expectSigners([workers[1]], "primary", database)
                let between = try await CertificateStatus.read(spot, database: database.url)
                #expect(try between.entry("primary").state == "old" && !between.entry("primary").canGo)
                #expect(try between.entry("primary").canGoAt == nil, "not before the other worker has changed")
                try await reload(workers[1])
            }
            try await load.settle(workers.map(\.log).joined().suffix(3000).description)
            try await expectSigners(workers, "secondary", database)
            try await expectSigners([], "primary", database)

            let tokens = try requester.driver.messages(in: requester.replies)
                .compactMap { try? $0.json(Contract.Reply.self).token }
            let first = try await Verifier.read(tokens, certificate: ConfigurationSpot.first).map(\.signed)
            let second = try await Verifier.read(tokens, certificate: ConfigurationSpot.second).map(\.signed)
            #expect(tokens.count > load.count)
            #expect(zip(first, second).allSatisfy { $0 != $1 }, "each is signed by one of the two")
            #expect(first.contains(true) && second.contains(true))

            // Whoever gets them now, both know the old certificate and sign with the new one.
            for _ in 0..<4 {
                let issued = try await requester.token(#"{"channelName":"late","uid":2}"#).token
                #expect(try await Verifier.read([issued], certificate: ConfigurationSpot.second)[0].signed)
            }
            let renewed = try await requester.token(#"{"token":"\#(early.token)"}"#, .renew)
            #expect(try await Verifier.read([renewed.token], certificate: ConfigurationSpot.second)[0].signed)
            let after = try await CertificateStatus.read(spot, database: database.url)
            #expect(try after.entry("secondary").liveLeases > 0)
            #expect(try #require(after.entry("primary").canGoAt) > after.now + 86_000, "a day after the last change")
            for worker in workers { #expect(try await worker.stop() == .code(0), "\(worker.log.suffix(2000))") }
        }
        try await database.remove()
    }
}
