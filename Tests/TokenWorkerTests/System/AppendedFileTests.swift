// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import Testing

@testable import TokenWorker

/// What goes into one call of the system where somebody reads at the other end.
@Suite struct AppendedFileTests {
    private func line(_ length: Int) -> [UInt8] { [UInt8](repeating: 97, count: length - 1) + [10] }

    @Test func partsAreWholeLinesThatAPipeTakesAtOnce() {
        let size = AppendedFile.partSize
        #expect(size == 4096, "what POSIX calls PIPE_BUF, on Linux")
        #expect(AppendedFile.endOfPart(of: line(10), from: 0) == 10)
        #expect(AppendedFile.endOfPart(of: line(size), from: 0) == size)
        let lines = (0..<10).flatMap { _ in line(900) }
        var (start, ends) = (0, [Int]())
        while start < lines.count {
            let end = AppendedFile.endOfPart(of: lines, from: start)
            #expect(end > start && end - start <= size && lines[end - 1] == 10)
            (start, ends) = (end, ends + [end])
        }
        #expect(ends == [3600, 7200, 9000])
        // A line that is longer goes in parts.
        #expect(AppendedFile.endOfPart(of: line(10_000), from: 0) == size)
        #expect(AppendedFile.endOfPart(of: line(10_000), from: 8192) == 10_000)
    }

    @Test func aPipeThatIsFullIsAFaultUntilItIsRead() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UUID().uuidString)").path
        try #require(unsafe mkfifo(path, 0o600) == 0)
        let reader = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(reader >= 0)
        defer {
            close(reader)
            unsafe unlink(path)
        }
        let file = try AppendedFile(path: path)
        let lines = (0..<200).flatMap { _ in line(900) }
        var failure: AppendedFile.Failure?
        do throws(AppendedFile.Failure) { try file.append(lines) } catch { failure = error }
        let written = try #require(failure).written
        #expect(written > 0 && written < lines.count && written % 900 == 0, "whole lines: \(written)")
        #expect(failure?.reason == "its reader reads no more, and there is no room left")
        #expect(drain(reader) == written)
        try file.append(line(9000))
        #expect(drain(reader) == 9000)
    }

    /// Reads what is there; returns how much that was.
    private func drain(_ reader: Int32) -> Int {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var total = 0
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(reader, $0.baseAddress, $0.count) }
            guard count > 0 else { return total }
            total += count
        }
    }
}
