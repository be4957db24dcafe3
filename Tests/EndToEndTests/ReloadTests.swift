// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import TestSupport
import Testing

/// A worker whose configuration changes while it works.
@Suite(.timeLimit(.minutes(3)))
struct ReloadTests {
    private let spot = ConfigurationSpot()

    private func count(_ event: String, _ worker: WorkerProcess) -> Int {
        worker.log.split(separator: "\n").count { $0.contains("\"event\":\"\(event)\"") }
    }

    /// Sends SIGHUP, and waits for the line that says what came of it.
    private func reload(_ worker: WorkerProcess, _ event: String) async throws -> Substring {
        let before = count(event, worker)
        worker.signal(SIGHUP)
        try await eventually(within: .seconds(20), "\(event)\n\(worker.log.suffix(2000))") {
            count(event, worker) > before
        }
        return worker.log.split(separator: "\n").last { $0.contains(event) } ?? ""
    }

    private func withWorker(_ body: (Scene, WorkerProcess, Requester) async throws -> Void) async throws {
        try await Scene.with { scene in
            try spot.write(active: "primary")
            let worker = try scene.worker(environment: spot.environment)
            let requester = try await Requester(url: scene.host.url)
            _ = try await requester.token(#"{"channelName":"first","uid":1}"#)
            do {
                try await body(scene, worker, requester)
            } catch {
                throw TestFailure("\(error)\n--- the worker's log:\n\(worker.log.suffix(4000))")
            }
            #expect(try await worker.stop() == .code(0), "\(worker.log.suffix(2000))")
            for secret in [ConfigurationSpot.first, ConfigurationSpot.second] { #expect(!worker.log.contains(secret)) }
        }
    }

    @Test func certificatesChangeUnderLoad() async throws {
        try await withWorker { _, worker, requester in
            let repeated = DriverProperties(messageID: "again")
            let early = try await requester.token(#"{"channelName":"again","uid":9}"#, .request, repeated)
            let load = Load(requester)
            try await load.publish { [spot] in
                for turn in 0..<6 {
                    try spot.write(active: turn.isMultiple(of: 2) ? "secondary" : "primary")
                    _ = try await reload(worker, "reloaded")
                    try await Task.sleep(for: .milliseconds(200))
                }
                try spot.write(active: "secondary")
                _ = try await reload(worker, "reloaded")
            }
            try await load.settle(worker.log)
            let tokens = try requester.driver.messages(in: requester.replies)
                .compactMap { try? $0.json(Contract.Reply.self).token }
            let first = try await Verifier.read(tokens, certificate: ConfigurationSpot.first).map(\.signed)
            let second = try await Verifier.read(tokens, certificate: ConfigurationSpot.second).map(\.signed)
            #expect(zip(first, second).allSatisfy { $0 != $1 }, "each is signed by one of the two")
            #expect(first.contains(true) && second.contains(true))
            let late = try await requester.token(#"{"channelName":"again","uid":9}"#, .request, repeated)
            #expect(late.token == early.token, "a repeat has the certificate of its lease")
            let renewed = try await requester.token(#"{"token":"\#(early.token)"}"#, .renew)
            #expect(try await Verifier.read([renewed.token], certificate: ConfigurationSpot.second)[0].signed)
        }
    }

    @Test func aWrongFileChangesNothing() async throws {
        try await withWorker { _, worker, requester in
            let project = "appId: '\(WorkerProcess.appID)'"
            for (text, setting) in [
                ("{ projects: [", spot.path),
                ("{ projects: [{ \(project), certificate: 'short' }] }", "projects[0].certificate"),
                ("{ projects: [{ \(project), certificate: '\(ConfigurationSpot.second)' }], colour: 1 }", "colour"),
                ("{ projects: [{ \(project), certificateFile: '/nowhere/c' }] }", "projects[0].certificateFile"),
            ] {
                try spot.write(text)
                let line = try await reload(worker, "reload_refused")
                #expect(line.contains("\"setting\":\"\(setting)\""), "\(line)")
                #expect(line.contains("goes on with the configuration that it had"))
            }
            try spot.delete()
            #expect(try await reload(worker, "reload_refused").contains(spot.path))
            let token = try await requester.token(#"{"channelName":"test","uid":2}"#).token
            #expect(try await Verifier.read([token], certificate: ConfigurationSpot.first)[0].signed)
            try spot.write(active: "secondary", slots: ["secondary"], more: "prefix: 'other', visibility: 20")
            _ = try await reload(worker, "reloaded")
            let waiting = try await firstAnswer(within: .seconds(10), "what needs a restart") {
                worker.log.split(separator: "\n").last { $0.contains("restart_needed") }
            }
            #expect(waiting.contains("prefix, visibility"), "\(waiting)")
            let later = try await requester.token(#"{"channelName":"test","uid":3}"#).token
            #expect(try await Verifier.read([later], certificate: ConfigurationSpot.second)[0].signed)
        }
    }

    @Test func aPolicyComesAndStays() async throws {
        try await withWorker { _, worker, requester in
            let other = #"{"channelName":"other","uid":2}"#
            _ = try await requester.token(other)
            let rules =
                "policy: {rules: [{name: 'no-others', for: {channels: ['other*']}, deny: true}, {name: 'rest', allow: {}}]}"
            try spot.write(active: "primary", more: rules)
            #expect(try await reload(worker, "reloaded").contains("2 rules"))
            let refusal = try await requester.error(other)
            #expect(refusal.code == "policy_denied" && refusal.message.contains("no-others"))
            try spot.write(active: "primary", more: rules.replacing("deny: true", with: "deny: 7"))
            #expect(try await reload(worker, "reload_refused").contains("deny"))
            #expect(try await requester.error(other).code == "policy_denied", "the policy stays")
            _ = try await requester.token(#"{"channelName":"mine","uid":2}"#)
        }
    }

    @Test func aBurstOfSignalsLosesNothing() async throws {
        try await withWorker { _, worker, requester in
            let load = Load(requester)
            try load.publish(200)
            for turn in 0..<50 {
                try spot.write(active: turn.isMultiple(of: 2) ? "secondary" : "primary")
                worker.signal(SIGHUP)
                if turn.isMultiple(of: 10) { try load.publish(50) }
            }
            try load.publish(100)
            try await load.settle(worker.log)
            try spot.write(active: "secondary", slots: ["secondary"])
            _ = try await reload(worker, "reloaded")
            // The last ones come while it stops, which they do not hurry.
            for _ in 0..<5 { worker.signal(SIGHUP) }
        }
    }

    @Test func certificatesSayWhatRestsOnThem() async throws {
        try await withWorker { scene, worker, requester in
            func report() async throws -> CertificateStatus {
                try await CertificateStatus.read(spot, database: scene.database)
            }
            let before = try await firstAnswer(within: .seconds(20), "a worker that signs") {
                let report = try await report()
                return report.certificates.first?.signers.isEmpty == false ? report : nil
            }
            #expect(before.certificates.map(\.state) == ["active", "unused"])
            #expect(before.certificates.map(\.canGo) == [false, true])
            try spot.write(active: "secondary")
            let stale = try await report()
            #expect(stale.certificates.map(\.state) == ["active", "old"])
            #expect(stale.certificates.first { $0.state == "old" }?.signers.count == 1, "it has not read the file yet")
            _ = try await reload(worker, "reloaded")
            _ = try await requester.token(#"{"channelName":"test","uid":2}"#)
            let after = try await firstAnswer(within: .seconds(20), "the worker's change") {
                let report = try await report()
                return report.certificates.first { $0.state == "old" }?.signers.isEmpty == true ? report : nil
            }
            let old = try #require(after.certificates.first { $0.slot == "primary" })
            #expect(old.state == "old" && old.liveLeases == 1 && !old.canGo)
            let wait = try #require(old.canGoAt) - after.now
            #expect((86_300...86_430).contains(wait), "a day after the change")
            #expect(after.certificates.first { $0.slot == "secondary" }?.liveLeases == 1)
        }
    }
}
