// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import Platform
import TokenWorker

/// What worker processes have used so far.
struct WorkerUsage: Sendable, Hashable {
    /// Where a process's use is read.
    enum Source: Sendable, Hashable {
        /// A process of this machine, by its number.
        case process(Int)
        /// Its page of metrics.
        case metrics(String)
    }

    /// Why it cannot be read.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Processor time in microseconds, of all of them together.
    private(set) var microseconds: Double = 0
    /// Resident memory in bytes, of the largest.
    private(set) var residentBytes = 0

    /// Reads the use of several processes.
    init(_ sources: [Source]) throws(Failure) {
        for source in sources {
            let (microseconds, bytes) =
                switch source {
                case .process(let id): try Self.read(process: id)
                case .metrics(let url): try Self.read(metrics: url)
                }
            self.microseconds += microseconds
            residentBytes = max(residentBytes, bytes)
        }
    }

    private static func read(process id: Int) throws(Failure) -> (Double, Int) {
        guard let stat = try? TextFile.bytes(at: "/proc/\(id)/stat"),
            let use = processorTicksAndPages(String(decoding: stat, as: UTF8.self))
        else {
            throw Failure(description: "there is no process \(id) on this machine")
        }
        let microsecondsPerTick = 1e6 / Double(max(sysconf(Int32(_SC_CLK_TCK)), 1))
        return (Double(use.ticks) * microsecondsPerTick, use.pages * max(sysconf(Int32(_SC_PAGESIZE)), 1))
    }

    /// The processor time and the resident memory in `/proc/PID/stat`; nil if it is not such a file.
    static func processorTicksAndPages(_ stat: String) -> (ticks: Int, pages: Int)? {
        // The name in parentheses may hold anything, parentheses and spaces among it.
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 21, let user = Int(fields[11]), let system = Int(fields[12]), let pages = Int(fields[21])
        else { return nil }
        return (user + system, pages)
    }

    private static func read(metrics url: String) throws(Failure) -> (Double, Int) {
        let text: String
        do {
            let answer = try ManagementClient(base: url, user: "", password: "").send("GET", "")
            guard answer.status == 200 else { throw Failure(description: "\(url) answers \(answer.status)") }
            text = String(decoding: answer.body, as: UTF8.self)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(description: "\(error)")
        }
        guard let seconds = value(of: "process_cpu_seconds_total", in: text),
            let bytes = value(of: "process_resident_memory_bytes", in: text)
        else {
            throw Failure(
                description: "\(url) has no process_cpu_seconds_total and process_resident_memory_bytes")
        }
        return (seconds * 1e6, Int(bytes))
    }

    /// The value of a metric without labels in Prometheus's text format; nil if it is not there, or is nothing that a
    /// process uses.
    static func value(of metric: String, in text: String) -> Double? {
        for line in text.split(separator: "\n") where line.hasPrefix(metric + " ") {
            let value = Double(line.dropFirst(metric.count + 1).prefix { $0 != " " })
            return value.flatMap { (0...1e15).contains($0) ? $0 : nil }
        }
        return nil
    }
}
