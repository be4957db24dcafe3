// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing

@testable import TokenWorker

/// Two workers do not share an SQLite file.
@Suite struct StoreLockTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private var path: String { folder.appending(path: "leases.db").path }

    private func lock(_ path: String) -> StoreLock? {
        if case .taken(let lock) = StoreLock.attempt(path) { lock } else { nil }
    }

    @Test func theSecondIsToldWhoHasIt() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try #require(lock(path))
        guard case .held(let holder) = StoreLock.attempt(path) else {
            Issue.record("two have the lock")
            return
        }
        #expect(holder == "\(ProcessIdentity.host)/\(ProcessIdentity.pid)")
        withExtendedLifetime(first) {}
    }

    @Test func aWorkerWaitsAndThenSaysWhatToUse() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = try WorkerConfiguration(
            SettingSources(
                flags: ["store": "sqlite:\(path)", "log": "off"],
                environment: [
                    "AGORA_APP_ID": Bench.appID, "AGORA_APP_CERTIFICATE": Bench.certificate, "AMQP_URL": "amqp://a",
                ]))
        var first = lock(path)
        #expect(first != nil)
        #expect {
            try configuration.lockStore(for: .zero) { _ in false }
        } throws: { error in
            "\(error)".contains("use PostgreSQL for several workers") && "\(error)".contains(path)
        }
        var waits = 0
        let second = try configuration.lockStore { _ in
            waits += 1
            first = nil
            return false
        }
        #expect(second != nil && waits == 1)
        #expect(try configuration.lockStore { _ in true } == nil, "it ends when it is told to")
    }

    @Test func itIsFreeWhenItsOwnerGoes() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var first = lock(path)
        #expect(first != nil)
        first = nil
        #expect(lock(path) != nil)
    }

    @Test func aLinkLeadsToTheSameLock() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: URL(filePath: path))
        let link = folder.appending(path: "link.db").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let first = try #require(lock(link))
        #expect(lock(path) == nil)
        withExtendedLifetime(first) {}
    }

    /// As the doctor does, who may be root: a file of root's would keep the worker from its lock.
    @Test func lookingLeavesNothingBehind() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: URL(filePath: path))
        _ = StorePlace(path: path, makesFolder: false)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["leases.db"])
        let first = try #require(lock(path))
        let owner = try String(contentsOfFile: path + ".lock", encoding: .utf8)
        let texts = StorePlace(path: path, makesFolder: false).diagnoses.map(\.text)
        #expect(texts.contains { $0.contains("a worker has the file") && $0.contains(ProcessIdentity.host) })
        withExtendedLifetime(first) {}
        #expect(try String(contentsOfFile: path + ".lock", encoding: .utf8) == owner && !owner.isEmpty)
    }

    @Test func aPlaceWithoutAFolderHasNone() {
        guard case .impossible(let reason) = StoreLock.attempt("/nowhere/leases.db") else {
            Issue.record("there is a lock nowhere")
            return
        }
        #expect(!reason.isEmpty)
    }
}
