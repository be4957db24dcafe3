// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A metric and all its samples at one moment, as Prometheus understands it.
package struct MetricFamily: Sendable, Hashable {
    /// What may be done with the numbers.
    package enum Kind: String, Sendable {
        /// Only ever grows while the process lives.
        case counter
        case gauge
        case histogram
    }

    /// One number.
    package struct Sample: Sendable, Hashable {
        /// What follows the family's name: `_bucket`, `_sum` and `_count` of a histogram.
        var suffix = ""
        var labels: [MetricLabel]
        var value: Double
    }

    let name: String
    /// What the numbers mean, in one line.
    let help: String
    let kind: Kind
    var samples: [Sample] = []

    /// A family without samples, to be filled.
    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.help = help
        self.kind = kind
    }

    /// A family with one number.
    package init(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        self.init(name, kind, help)
        add([], value)
    }

    /// Adds a number.
    package mutating func add(_ labels: [MetricLabel], _ value: Double) {
        samples.append(Sample(labels: labels, value: value))
    }

    /// Adds a histogram.
    package mutating func add(_ labels: [MetricLabel], _ histogram: Histogram) {
        var total: UInt64 = 0
        for (bound, count) in zip(histogram.bounds + [.infinity], histogram.counts) {
            total += count
            let bucket = labels + [MetricLabel("le", MetricsText.number(bound))]
            samples.append(Sample(suffix: "_bucket", labels: bucket, value: Double(total)))
        }
        samples.append(Sample(suffix: "_sum", labels: labels, value: histogram.sum))
        samples.append(Sample(suffix: "_count", labels: labels, value: Double(total)))
    }
}

/// What tells the numbers of a family apart; values come from closed sets, never from a message.
package struct MetricLabel: Sendable, Hashable {
    let name: String
    let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
