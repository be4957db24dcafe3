// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Platform
import Testing

@Suite(.timeLimit(.minutes(1))) struct TextFileTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "text-\(UUID().uuidString)").path

    @Test func itHasAllBytesUpToTheLimit() throws {
        let content = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try Data(content).write(to: URL(filePath: path))
        defer { unsafe unlink(path) }
        #expect(try TextFile.bytes(at: path) == content)
        #expect(try TextFile.bytes(at: path, limit: 40_000) == content)
        #expect(throws: TextFile.Failure.larger(than: 39_999)) { _ = try TextFile.bytes(at: path, limit: 39_999) }
        #expect(TextFile.Failure.larger(than: 39_999).reason == "is larger than 39999 bytes")
    }

    @Test func theSystemsWordsSayWhyNot() {
        #expect(throws: TextFile.Failure.system("No such file or directory")) { _ = try TextFile.bytes(at: path) }
        #expect(throws: TextFile.Failure.system("Is a directory")) { _ = try TextFile.bytes(at: "/") }
    }

    @Test func aPipeThatNobodyWritesHoldsNobody() throws {
        try #require(unsafe mkfifo(path, 0o600) == 0)
        defer { unsafe unlink(path) }
        #expect(try TextFile.bytes(at: path, waits: false) == [])
    }
}
