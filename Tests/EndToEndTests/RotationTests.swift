// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// A worker whose password changes while it runs.
@Suite(.timeLimit(.minutes(1)))
struct RotationTests {
    @Test("B19 of the broker: a worker reads the URL's file again when it has to connect again")
    func readsTheURLAgain() async throws {
        try await Scene.with { scene in
            try await scene.host.withUser("rotated") { user, url in
                let path = "\(TestEnvironment.scratch)/\(TestEnvironment.uniqueName("url"))"
                try url.write(toFile: path, atomically: true, encoding: .utf8)
                let worker = try WorkerProcess(
                    url: "", database: scene.database, environment: ["AMQP_URL_FILE": path])
                let requester = try await Requester(url: scene.host.url)
                _ = try await requester.token(#"{"channelName":"test","uid":1}"#)
                let management = scene.host.broker.management
                try await management.call("PUT", ["users", user], body: #"{"password":"new","tags":""}"#)
                try await management.call("DELETE", ["connections", "username", user])
                try url.replacing("\(user):\(user)@", with: "\(user):new@")
                    .write(toFile: path, atomically: true, encoding: .utf8)
                _ = try await requester.token(#"{"channelName":"test","uid":2}"#, within: .seconds(20))
                #expect(try await worker.stop() == .code(0), "\(worker.log.suffix(2000))")
                for password in [user, "new"] { #expect(!worker.log.contains("\(user):\(password)")) }
            }
        }
    }
}
