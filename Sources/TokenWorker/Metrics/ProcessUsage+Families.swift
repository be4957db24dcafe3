// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension ProcessUsage {
    /// The names that every Prometheus client gives these.
    var families: [MetricFamily] {
        [
            MetricFamily(
                "process_cpu_seconds_total", .counter, "Total user and system CPU time spent in seconds.",
                processorSeconds),
            MetricFamily(
                "process_resident_memory_bytes", .gauge, "Resident memory size in bytes.", residentMemory),
            MetricFamily("process_virtual_memory_bytes", .gauge, "Virtual memory size in bytes.", virtualMemory),
            MetricFamily(
                "process_start_time_seconds", .gauge, "Start time of the process since unix epoch in seconds.",
                startTime),
            MetricFamily("process_threads", .gauge, "Number of OS threads in the process.", threads),
            MetricFamily("process_open_fds", .gauge, "Number of open file descriptors.", openDescriptors),
            MetricFamily("process_max_fds", .gauge, "Maximum number of open file descriptors.", mostDescriptors),
        ]
    }
}
