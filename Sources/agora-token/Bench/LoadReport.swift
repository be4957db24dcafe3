// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// The result of a load, for people and for machines.
struct LoadReport: Sendable {
    let window: Int
    let seconds: Double
    let counts: LoadLedger.Counts
    /// Requests without a reply in the end.
    let lost: Int
    /// What the workers used meanwhile; nil where nobody asked.
    var worker: (microseconds: Double, residentBytes: Int)?

    /// Whether every request was answered with a token.
    var isClean: Bool { lost == 0 && counts.refused == 0 && counts.errors.isEmpty }

    private var requestsPerSecond: Double { seconds > 0 ? Double(counts.answered) / seconds : 0 }

    private var percentiles: [(String, UInt64)] {
        [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)].map { ($0.0, counts.latency.percentile($0.1)) }
            + [("max", counts.latency.maximum)]
    }

    private var microsecondsPerRequest: Double? {
        guard let worker, counts.answered > 0 else { return nil }
        return worker.microseconds / Double(counts.answered)
    }

    /// The lines for people.
    var text: String {
        var lines = [
            "rate     \(Int(requestsPerSecond)) requests per second"
                + " (\(counts.answered) in \(Self.decimal(seconds, 1)) s, \(window) on their way)",
            "latency  "
                + percentiles.map { "\($0.0) \(Self.decimal(Double($0.1) / 1000, 2)) ms" }.joined(separator: ", "),
        ]
        let errors = counts.errors.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
        lines.append(
            "faults   lost \(lost), refused by the broker \(counts.refused), error replies "
                + (errors.isEmpty ? "0" : errors.joined(separator: ", ")))
        if let worker, let each = microsecondsPerRequest {
            lines.append(
                "worker   \(Self.decimal(each, 1)) µs of processor time per request,"
                    + " \(Self.decimal(worker.microseconds / 1e6 / seconds, 2)) processors,"
                    + " \(Self.decimal(Double(worker.residentBytes) / 1e6, 1)) MB resident")
        }
        return lines.joined(separator: "\n")
    }

    /// One JSON object.
    var json: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("requestsPerSecond", Int(requestsPerSecond))
        writer.member("window", window)
        writer.member("answered", counts.answered)
        writer.member("measuredMilliseconds", Int(seconds * 1000))
        writer.name("latencyMicroseconds")
        writer.beginObject()
        for (name, value) in percentiles { writer.member(name, value) }
        writer.endObject()
        writer.member("lost", lost)
        writer.member("refused", counts.refused)
        writer.name("errors")
        writer.beginObject()
        for (code, count) in counts.errors.sorted(by: { $0.key < $1.key }) { writer.member(code, count) }
        writer.endObject()
        if let worker, let each = microsecondsPerRequest {
            writer.name("worker")
            writer.beginObject()
            writer.member("cpuNanosecondsPerRequest", Int(each * 1000))
            writer.member("cpuMicroseconds", Int(worker.microseconds))
            writer.member("residentBytes", worker.residentBytes)
            writer.endObject()
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func decimal(_ value: Double, _ places: Int) -> String {
        let scale = [1, 10, 100][places]
        let scaled = Int((value * Double(scale)).rounded())
        guard places > 0 else { return String(scaled) }
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
    }
}
