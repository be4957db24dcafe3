// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import Testing

@testable import TokenWorker

/// Lines in files, and what becomes of them when a file takes nothing or half.
@Suite struct AuditTrailTests {
    private let folder: URL
    private let log = Log(format: .off)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "audit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func trail(_ path: String) throws -> AuditTrail { try AuditTrail(.file(path: path), log: log) }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func linesGoToTheEndOfAFileForItsOwnerAndGroup() throws {
        let path = path("audit")
        try trail(path).write(Array("one\n".utf8))
        let second = try trail(path)
        try second.write(Array("two\nthree\n".utf8))
        try second.write([])
        #expect(try text(path) == "one\ntwo\nthree\n" && second.fault == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect((mode ?? 0o777) & 0o137 == 0)
    }

    @Test func aLineThatACrashCutIsNotContinued() throws {
        let path = path("audit")
        try "whole\ncut".write(toFile: path, atomically: false, encoding: .utf8)
        try trail(path).write(Array("next\n".utf8))
        #expect(try text(path) == "whole\ncut\nnext\n")
    }

    @Test func afterARenameTheLinesGoToANewFile() throws {
        let (path, old) = (path("audit"), path("audit.1"))
        let trail = try trail(path)
        try trail.write(Array("one\n".utf8))
        try FileManager.default.moveItem(atPath: path, toPath: old)
        try trail.write(Array("two\n".utf8))
        trail.reopen()
        try trail.write(Array("three\n".utf8))
        #expect(try text(old) == "one\ntwo\n" && text(path) == "three\n")
    }

    @Test func aFileThatCannotBeOpenedAnewLeavesTheOldOneInUse() throws {
        let parent = path("folder")
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: false)
        let trail = try trail(parent + "/audit")
        try FileManager.default.moveItem(atPath: parent, toPath: path("moved"))
        trail.reopen()
        try trail.write(Array("one\n".utf8))
        #expect(try text(path("moved") + "/audit") == "one\n")
    }

    @Test func aFullDiskIsSaidAndTriedAgain() throws {
        let trail = try trail("/dev/full")
        for _ in 0..<2 {
            #expect { try trail.write(Array("one\n".utf8)) } throws: {
                ($0 as? AuditTrail.Failure)?.reason.contains("space") == true
            }
        }
        #expect(trail.fault != nil)
        #expect(throws: AuditTrail.Failure.self) { try trail.recover() }
        #expect(trail.fault != nil)
    }

    /// A pipe that is full takes the beginning of a batch; then there is room again, and the batch comes as a whole.
    @Test func aLineIsWrittenWholeThoughHalfOfItWasTaken() throws {
        let path = path("pipe")
        try #require(unsafe mkfifo(path, 0o600) == 0)
        let reader = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(reader >= 0)
        defer { close(reader) }
        let trail = try trail(path)
        // Longer than what a pipe takes at once, so that one is cut.
        let lines = (0..<20).map { "\($0) \(String(repeating: "x", count: 9990))" }
        let batch = Array((lines.joined(separator: "\n") + "\n").utf8)
        #expect(throws: AuditTrail.Failure.self) { try trail.write(batch) }
        let first = Self.drain(reader)
        #expect(first.count >= 4096 && first.last != UInt8(ascii: "\n"))
        #expect(throws: AuditTrail.Failure.self) { try trail.write(batch) }
        let second = Self.drain(reader)
        try trail.recover()
        let third = Self.drain(reader)
        #expect(trail.fault == nil)
        let all = String(decoding: first + second + third, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(Set(all.dropLast()).isSubset(of: lines))
        #expect(Set(all.dropLast()).count > 4 && all.last?.contains("resumed") == true)
    }

    private static func drain(_ reader: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(reader, $0.baseAddress, $0.count) }
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(count)
        }
    }

    @Test(arguments: [
        ("off", AuditTarget.off), ("stdout", .standardOutput), ("-", .standardOutput), ("./off", .file(path: "./off")),
        ("/var/log/audit.jsonl", .file(path: "/var/log/audit.jsonl")),
    ]) func targets(text: String, target: AuditTarget) throws {
        #expect(try AuditTarget(.init(text: text, origin: "--audit")) == target)
    }

    @Test(arguments: ["", "/var/log/", "a\0b"]) func noTargets(text: String) {
        #expect(throws: ConfigurationError.self) { try AuditTarget(.init(text: text, origin: "--audit")) }
    }

    @Test(arguments: ["/nowhere/audit", "/", "/proc/audit"]) func aFileThatCannotBeIsNamed(path: String) {
        #expect {
            try AuditTarget.file(path: path).open("--audit", log: log)
        } throws: { error in
            "\(error)".hasPrefix("--audit: \(path): ") && !"\(error)".contains("\n")
        }
    }
}
