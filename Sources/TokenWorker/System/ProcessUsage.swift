// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import Platform

/// What this process uses of the machine.
struct ProcessUsage: Sendable, Hashable {
    /// Processor time of all threads, in seconds.
    var processorSeconds = 0.0
    /// In bytes.
    var residentMemory = 0.0
    /// In bytes.
    var virtualMemory = 0.0
    /// When it started, in seconds since 1970.
    var startTime = 0.0
    var threads = 0.0
    var openDescriptors = 0.0
    /// How many descriptors it may have open; infinite where there is no limit.
    var mostDescriptors = 0.0

    /// How it is now; `nil` where the system does not say.
    static func current() -> ProcessUsage? {
        guard let stat = try? TextFile.bytes(at: "/proc/self/stat"),
            let system = try? TextFile.bytes(at: "/proc/stat"),
            var usage = ProcessUsage(
                stat: String(decoding: stat, as: UTF8.self), system: String(decoding: system, as: UTF8.self),
                ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))), pageSize: Double(sysconf(Int32(_SC_PAGESIZE))))
        else { return nil }
        usage.openDescriptors = descriptors()
        var limit = rlimit()
        if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            usage.mostDescriptors = limit.rlim_cur == rlim_t.max ? .infinity : Double(limit.rlim_cur)
        }
        return usage
    }

    /// Reads the system's own words; `nil` where they are of another shape.
    ///
    /// - Parameters:
    ///   - stat: the text of `/proc/self/stat`.
    ///   - system: the text of `/proc/stat`, which has the time of the machine's start.
    ///   - ticksPerSecond: the unit of times in the first.
    ///   - pageSize: the unit of memory in it, in bytes.
    init?(stat: String, system: String, ticksPerSecond: Double, pageSize: Double) {
        // The second field is the program's name in brackets, which may hold anything.
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ").map { Double($0) ?? 0 }
        let boot = system.split(separator: "\n").first { $0.hasPrefix("btime ") }?.dropFirst("btime ".count)
        guard fields.count > 21, let boot = boot.flatMap({ Double($0) }) else { return nil }
        processorSeconds = (fields[11] + fields[12]) / ticksPerSecond
        threads = fields[17]
        startTime = boot + fields[19] / ticksPerSecond
        virtualMemory = fields[20]
        residentMemory = fields[21] * pageSize
    }

    /// How many descriptors are open, without the one that looks.
    private static func descriptors() -> Double {
        guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
        defer { unsafe closedir(folder) }
        var count = 0.0
        while unsafe readdir(folder) != nil { count += 1 }
        return max(count - 3, 0)
    }
}
