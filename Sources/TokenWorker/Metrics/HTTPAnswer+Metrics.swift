// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension HTTPAnswer {
    /// Answers with a page of metrics.
    package init(metrics families: [MetricFamily]) {
        self.init(status: 200, lines: [])
        contentType = MetricsText.contentType
        body = MetricsText.encode(families)
    }
}
