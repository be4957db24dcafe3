// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import Synchronization

/// A program that a test runs: its output goes to files, and it dies with this object at the latest.
///
/// It stays in the process group of the tests, so that a time limit on them ends it too.
package final class ChildProcess: Sendable {
    /// How a process ended.
    package enum Exit: Sendable, Hashable {
        case code(Int32)
        case signal(Int32)
    }

    package let processID: Int32
    package let outputPath: String
    package let errorPath: String
    private let name: String
    private let input: Int32?
    private let exit = Mutex<Exit?>(nil)

    /// Starts a program, by its path or by a name on PATH.
    ///
    /// The variables come beside those of this process; an empty value removes one. Unless it is `writable`, for
    /// ``write(_:)``, its standard input is empty.
    package init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
        writable: Bool = false
    ) throws {
        name = URL(filePath: executable).lastPathComponent
        let base = "\(TestEnvironment.scratch)/\(TestEnvironment.uniqueName(name))"
        (outputPath, errorPath) = (base + ".out", base + ".err")
        var variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        for (key, value) in variables where value.isEmpty { variables[key] = nil }
        (processID, input) = try Self.spawn(
            [executable] + arguments, environment: variables.map { "\($0)=\($1)" }, writable: writable,
            output: outputPath, error: errorPath)
    }

    deinit {
        if let input { close(input) }
        signal(SIGKILL)
        var status: Int32 = 0
        if exit.withLock({ $0 == nil }) { _ = unsafe waitpid(processID, &status, 0) }
    }

    /// Sends a signal, unless the process has been seen to end.
    package func signal(_ number: Int32) {
        exit.withLock { if $0 == nil { Glibc.kill(processID, number) } }
    }

    /// How it ended; nil while it runs.
    package func poll() -> Exit? {
        exit.withLock { exit in
            var status: Int32 = 0
            guard exit == nil, unsafe waitpid(processID, &status, WNOHANG) == processID else { return exit }
            exit = status & 0x7f == 0 ? .code(status >> 8 & 0xff) : .signal(status & 0x7f)
            return exit
        }
    }

    /// Waits for its end.
    @discardableResult
    package func wait(within limit: Duration) async throws -> Exit {
        try await firstAnswer(within: limit, "the end of \(name) (process \(processID))") { poll() }
    }

    /// Kills it and waits until it is gone.
    package func kill() async throws {
        signal(SIGKILL)
        try await wait(within: .seconds(10))
    }

    /// Writes to its standard input.
    package func write(_ bytes: [UInt8]) throws {
        guard let input else { throw TestFailure("\(name) was started without an input") }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(input, $0.baseAddress, $0.count) }
            guard count > 0 else { throw TestFailure("\(name) does not read its input: \(errorText)") }
            rest = rest.dropFirst(count)
        }
    }

    /// All that it has written to standard output so far.
    package var output: String { Self.contents(outputPath) }

    /// All that it has written to standard error so far.
    package var errorText: String { Self.contents(errorPath) }

    /// Resident memory in bytes; nil when it has ended.
    package var residentBytes: Int? {
        let lines = Self.contents("/proc/\(processID)/status").split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("VmRSS:") }) else { return nil }
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }

    /// The processor time that it has used, in seconds; nil when it has ended.
    package var processorSeconds: Double? {
        // After the program's name in brackets: the state is the first, user and system time the 12th and 13th.
        let fields = Self.contents("/proc/\(processID)/stat").split(separator: ")").last?.split(separator: " ")
        guard let fields, fields.count > 13, let user = Double(fields[11]), let system = Double(fields[12]) else {
            return nil
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func contents(_ path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension ChildProcess {
    /// Runs a program to its end and returns what it wrote to standard output; throws when it does not exit with 0.
    @discardableResult
    package static func run(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
        within limit: Duration = .seconds(60)
    ) async throws -> String {
        let process = try ChildProcess(executable, arguments, environment: environment)
        let exit = try await process.wait(within: limit)
        guard exit == .code(0) else {
            throw TestFailure("\(executable) \(arguments.joined(separator: " ")): \(exit)\n\(process.errorText)")
        }
        return process.output
    }
}
