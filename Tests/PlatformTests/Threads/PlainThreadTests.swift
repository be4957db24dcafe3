// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Platform
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct PlainThreadTests {
    /// What a thread has found out about itself.
    private func result<Value: Sendable>(_ name: String? = nil, _ ask: @escaping @Sendable () -> Value) -> Value? {
        let answer = Mailbox<Value?>(empty: nil)
        let thread = PlainThread(named: name) {
            let value = ask()
            answer.put { $0 = value }
        }
        thread.join()
        return answer.take(until: .now)
    }

    @Test func joiningWaitsForTheEnd() {
        let steps = Mailbox<[Int]>(empty: [])
        let start = Mailbox(empty: false)
        let thread = PlainThread {
            while !start.take(until: nil) {}
            usleep(20_000)
            steps.put { $0.append(1) }
        }
        start.put { $0 = true }
        thread.join()
        steps.put { $0.append(2) }
        #expect(steps.take(until: .now) == [1, 2])
    }

    @Test func itsNameIsWhatTopShows() throws {
        let comm = { @Sendable in try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8) }
        #expect(result("amqp-loop", comm) == "amqp-loop\n")
        #expect(result("sixteen-and-more", comm) == "sixteen-and-mor\n")
        let own = try #require(comm())
        #expect(result(nil, comm) == own)
    }

    /// The masks are those of proc(5): bit n - 1 stands for signal n.
    @Test func itTakesNoSignalsButItsOwnFaults() throws {
        let before = try #require(blockedSignals())
        let blocked = try #require(result { blockedSignals() } ?? nil)
        for number in [SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGPIPE, SIGTERM, SIGCHLD] {
            #expect(blocked & 1 << UInt64(number - 1) != 0, "signal \(number)")
        }
        for number in [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS] {
            #expect(blocked & 1 << UInt64(number - 1) == 0, "signal \(number)")
        }
        #expect(blockedSignals() == before)
    }

    @Test func itsStackHoldsDeepRecursion() throws {
        #expect(try #require(result { depth(of: 12 << 20) }) >= 12 << 20)
    }

    @Test func thoseThatNobodyKeepsLeaveNothing() throws {
        let before = try #require(virtualMemory())
        let done = Mailbox(empty: 0)
        for _ in 0..<300 {
            PlainThread { done.put { $0 += 1 } }
            while done.take(until: nil) == 0 {}
        }
        let after = try #require(virtualMemory())
        // Their stacks are 4.8 GB.
        #expect(after - before < 1_000_000_000)
    }
}

private func blockedSignals() -> UInt64? {
    let status = try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
    return line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
}

/// In bytes.
private func virtualMemory() -> Int? {
    let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return status?.split(separator: " ").first.flatMap { Int($0) }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
}

/// Recurses until so many bytes of the stack are used, and returns how many are.
@inline(never)
private func depth(of bytes: UInt, below top: UInt? = nil) -> UInt {
    var room = [1024 of UInt8](repeating: 0)
    let here = unsafe withUnsafePointer(to: &room) { UInt(bitPattern: $0) }
    let top = top ?? here
    guard top - here < bytes else { return top - here }
    return depth(of: bytes, below: top) + UInt(room[Int(here & 1023)])
}
