// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Glibc

/// Uses the connections in a process of its own, so that what they cost can be measured.
///
/// - `AMQPSoak traffic URL WARM-UP TOTAL`: publishes and consumes messages, and prints by how many bytes the process
///   has grown from the warm-up to the end.
/// - `AMQPSoak rest URL SECONDS`: has two connections without traffic, and prints the seconds of CPU time used.
@main
struct SoakCommand {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 3 else { throw SoakFailure("AMQPSoak traffic URL WARM-UP TOTAL | rest URL SECONDS") }
        let numbers = arguments.dropFirst(2).compactMap { Int($0) }
        var configuration = ConnectionConfiguration(
            endpoints: [try AMQPURL(parsing: arguments[2])], connectionName: "soak")
        switch (arguments[1], numbers.count) {
        case ("traffic", 2):
            configuration.backOff = BackOff(first: .milliseconds(50), longest: .milliseconds(500))
            let traffic = SoakTraffic(configuration)
            try await traffic.run(to: numbers[0])
            let before = try residentBytes()
            try await traffic.run(to: numbers[1])
            print(try residentBytes() - before)
            traffic.close()
        case ("rest", 1):
            let traffic = SoakTraffic(configuration)
            // Where there is a broker, the connections are made by then.
            try await Task.sleep(for: .seconds(2))
            let before = clock()
            try await Task.sleep(for: .seconds(numbers[0]))
            print(Double(clock() - before) / Double(CLOCKS_PER_SEC), traffic.isReady ? "ready" : "away")
            traffic.close()
        default:
            throw SoakFailure("AMQPSoak traffic URL WARM-UP TOTAL | rest URL SECONDS")
        }
    }

    /// The second number of the kernel's file counts resident pages.
    private static func residentBytes() throws -> Int {
        let descriptor = unsafe open("/proc/self/statm", O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        let fields = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { throw SoakFailure("no /proc/self/statm") }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

struct SoakFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
