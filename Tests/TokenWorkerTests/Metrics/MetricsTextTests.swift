// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import TokenWorker

/// Prometheus' text format, as its documentation has it.
@Suite struct MetricsTextTests {
    private func text(_ families: [MetricFamily]) -> String {
        String(decoding: MetricsText.encode(families), as: UTF8.self)
    }

    @Test func countersAndGauges() {
        var requests = MetricFamily("http_requests_total", .counter, "The total number of HTTP requests.")
        requests.add([MetricLabel("method", "post"), MetricLabel("code", "200")], 1027)
        requests.add([MetricLabel("method", "post"), MetricLabel("code", "400")], 3)
        let empty = MetricFamily("nothing_total", .counter, "Left out.")
        #expect(
            text([requests, empty, MetricFamily("temperature", .gauge, "In degrees.", -1.25)]) == """
                # HELP http_requests_total The total number of HTTP requests.
                # TYPE http_requests_total counter
                http_requests_total{method="post",code="200"} 1027
                http_requests_total{method="post",code="400"} 3
                # HELP temperature In degrees.
                # TYPE temperature gauge
                temperature -1.25

                """)
    }

    @Test func histogramsAreCumulative() {
        var histogram = Histogram([0.25, 0.5, 1])
        for value in [0.125, 0.25, 0.375, 0.75, 0.75, 7] { histogram.observe(value) }
        var family = MetricFamily("wait_seconds", .histogram, "Waits.")
        family.add([MetricLabel("kind", "a")], histogram)
        #expect(
            text([family]) == """
                # HELP wait_seconds Waits.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{kind="a",le="0.25"} 2
                wait_seconds_bucket{kind="a",le="0.5"} 3
                wait_seconds_bucket{kind="a",le="1"} 5
                wait_seconds_bucket{kind="a",le="+Inf"} 6
                wait_seconds_sum{kind="a"} 9.25
                wait_seconds_count{kind="a"} 6

                """)
    }

    @Test func whatWouldEndALineOrALabelIsEscaped() {
        var family = MetricFamily("x", .gauge, "back\\slash\nnew \"line\"")
        family.add([MetricLabel("path", "C:\\DIR\n\"quoted\" ä")], 1)
        #expect(
            text([family]) == #"""
                # HELP x back\\slash\nnew "line"
                # TYPE x gauge
                x{path="C:\\DIR\n\"quoted\" ä"} 1

                """#)
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (1, "1"), (0.0005, "0.0005"), (1e-5, "1e-05"), (.infinity, "+Inf"),
        (-.infinity, "-Inf"),
        (.nan, "NaN"), (1_790_000_000.25, "1790000000.25"), (9_007_199_254_740_992, "9007199254740992.0"),
        (123_456_789_012, "123456789012"), (1e300, "1e+300"),
    ])
    func numbers(_ value: Double, _ text: String) { #expect(MetricsText.number(value) == text) }
}
