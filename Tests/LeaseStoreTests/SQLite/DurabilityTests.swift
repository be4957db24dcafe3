// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Platform
import Testing
import TokenMessages

@testable import LeaseStore

@Suite("A process that is killed")
struct DurabilityTests {
    private static let batch = 20

    @Test("Every lease whose commit returned is there afterwards", .timeLimit(.minutes(2)), arguments: 1...5)
    func killed(_ round: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "killed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "leases.db").path
        let journal = folder.appending(path: "committed").path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, journal = journal as String, round = round as Int] in
            try Self.commitUntilKilled(path, journal, seconds: 0.05 * Double(round))
        }

        let committed = try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n").count
        #expect(committed > 0)
        let store = try SQLiteDatabase(path: path).open()
        let keys = (0..<committed * Self.batch).map { Orders().key(Orders().grant(uid: UInt32($0 + 1))) }
        #expect(try store.leases(keys).allSatisfy { $0 != nil })
        // And their notices: the marks of the killed process are at worst not there.
        #expect(try store.counts().live >= keys.count)
    }

    private static func commitUntilKilled(_ path: String, _ journal: String, seconds: Double) throws {
        let store = try SQLiteDatabase(path: path).open()
        guard FileManager.default.createFile(atPath: journal, contents: nil) else { return }
        let file = try FileHandle(forWritingTo: URL(filePath: journal))
        var next = 0
        while true {
            let orders = (next..<next + batch).map { Orders().issue("m\($0)", Orders().grant(uid: UInt32($0 + 1))) }
            _ = try store.commit(orders)
            file.write(Data("\(next)\n".utf8))
            if next == 0 {
                PlainThread {
                    usleep(UInt32(seconds * 1_000_000))
                    kill(getpid(), SIGKILL)
                }
            }
            next += batch
        }
    }
}
