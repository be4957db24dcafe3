// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP

extension BrokerIdentity {
    /// When the certificates of the connection end, as metrics; none without TLS.
    var families: [MetricFamily] {
        var family = MetricFamily(
            "agora_token_tls_certificate_end_timestamp_seconds", .gauge,
            "When the broker's certificate ends, and that of the worker, as of the latest connection.")
        for (name, end) in [("broker", certificateEnd), ("worker", clientCertificateEnd)] {
            if let end { family.add([MetricLabel("certificate", name)], Double(end)) }
        }
        return [family]
    }
}
