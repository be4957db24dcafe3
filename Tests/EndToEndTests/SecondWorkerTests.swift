// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import TestSupport
import Testing

/// SQLite has one worker; a second one waits for it to go, and gives up when it stays.
@Suite(.timeLimit(.minutes(3)))
struct SecondWorkerTests {
    @Test func refusedWhileTheFirstStays() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            _ = try await requester.token(#"{"channelName":"test","uid":1}"#)
            let second = try WorkerProcess(url: scene.host.url, database: WorkerProcess.newDatabase())
            let exit = try await second.wait(within: .seconds(60))
            #expect(exit != .code(0))
            #expect(second.log.contains("PostgreSQL"), "it says what to use for several workers")
            _ = try await requester.token(#"{"channelName":"test","uid":2}"#)
        }
    }

    @Test func takesOverWhenTheFirstGoes() async throws {
        try await Scene.with { scene in
            let requester = try await Requester(url: scene.host.url)
            let first = try scene.worker()
            let before = try await requester.token(#"{"channelName":"test","uid":1,"leaseId":"kept"}"#)
            let second = try scene.worker()
            try await eventually(within: .seconds(10), "the second to wait\n\(second.log)") {
                second.log.contains("another worker holds")
            }
            try await first.kill()
            let after = try await requester.token(#"{"token":"\#(before.token)"}"#, .renew)
            #expect(after.leaseId == "kept")
            #expect(try await second.stop() == .code(0))
        }
    }

    /// As a lock that another user has made, which permissions of a test that may do everything cannot show.
    @Test func aLockThatCannotBeOpenedIsTold() async throws {
        try await Scene.with { scene in
            let path = String(scene.database.dropFirst("sqlite:".count))
            try FileManager.default.createDirectory(atPath: path + ".lock", withIntermediateDirectories: false)
            let worker = try scene.worker()
            _ = try await Requester(url: scene.host.url).token(#"{"channelName":"test","uid":1}"#)
            #expect(worker.log.contains("store_not_locked") && worker.log.contains("\(path).lock"), "\(worker.log)")
            #expect(try await worker.stop() == .code(0))
        }
    }

    /// Under another prefix they have other queues, and yet one file.
    @Test func oneFileHasOneWorkerWhateverThePrefix() async throws {
        try await Scene.with { scene in
            let requester = try await Requester(url: scene.host.url)
            let first = try scene.worker()
            _ = try await requester.token(#"{"channelName":"test","uid":1}"#)
            let second = try scene.worker(arguments: ["--prefix", "other"])
            try await eventually(within: .seconds(10), "the second to wait\n\(second.log)") {
                second.log.contains("another worker holds")
            }
            #expect(second.log.contains("/\(first.processID)"), "it says which")
            second.signal(SIGHUP)
            #expect(try await second.stop() == .code(0), "it heeds signals while it waits")
            #expect(try await first.stop() == .code(0))
        }
    }
}
