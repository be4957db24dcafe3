// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing

@testable import TokenWorker

/// What a running worker cannot take over is named.
@Suite struct SettingsSnapshotTests {
    private func snapshot(_ text: String, _ environment: [String: String] = [:]) throws -> SettingsSnapshot {
        let file = try ConfigurationFile(text: Array(text.utf8), name: "test.json5")
        return try SettingSources(environment: environment, file: file).snapshot()
    }

    @Test(arguments: [
        ("{prefix: 'a'}", "{prefix: 'b'}", ["prefix"]),
        ("{prefix: 'a'}", "{}", ["prefix"]),
        ("{amqp: 'amqp://a', store: 'none'}", "{amqp: 'amqp://b', store: 'sqlite:x'}", ["amqp", "store"]),
        ("{defaultLifetime: 60}", "{defaultLifetime: 90}", []),
        ("{prefetch: 1, visibility: 9}", "{visibility: 9, prefetch: 1}", []),
        ("{}", "{projects: [{appId: 'x'}]}", []),
    ]) func changesAreNamed(before: String, after: String, keys: [String]) throws {
        #expect(try snapshot(before).changes(to: snapshot(after)) == keys)
    }

    /// It is read again at each attempt to connect.
    @Test func theBrokersFileMayChange() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: url) }
        try Data("amqp://a".utf8).write(to: url)
        let before = try snapshot("{amqpFile: '\(url.path)', storeFile: '\(url.path)'}")
        try Data("amqp://b".utf8).write(to: url)
        #expect(try before.changes(to: snapshot("{amqpFile: '\(url.path)', storeFile: '\(url.path)'}")) == ["store"])
        #expect(try before.changes(to: snapshot("{amqp: 'amqp://a', storeFile: '\(url.path)'}")) == ["amqp", "store"])
        #expect(!"\(before)".contains("amqp://"))
    }
}
