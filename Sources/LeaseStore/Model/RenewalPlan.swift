// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
package import TokenMessages

/// How a lease is renewed without being asked, and how often it was.
package struct RenewalPlan: Sendable, Hashable {
    /// The caller's order, with the queue that gets the tokens filled in.
    package var order: AutoRenew
    /// The correlation id of the request, which the tokens carry too.
    package var correlationID: [UInt8]?
    /// How many renewals there were.
    package var done: UInt32 = 0

    /// Plans renewals.
    package init(order: AutoRenew, correlationID: [UInt8]?, done: UInt32 = 0) {
        self.order = order
        self.correlationID = correlationID
        self.done = done
    }

    /// Whether the order allows another renewal at a moment in seconds since 1970.
    package func allows(at moment: UInt32) -> Bool {
        moment <= order.until && done < order.most ?? .max
    }

    /// The plan after one more renewal.
    var next: RenewalPlan {
        var next = self
        next.done += 1
        return next
    }

    /// How the database holds it: the renewals done, the correlation id in hexadecimal digits, and the order as JSON.
    var text: String {
        let correlation = correlationID.map { Hex.encode($0) } ?? "-"
        return "\(done) \(correlation) " + String(decoding: order.encoded, as: UTF8.self)
    }

    /// Reads what `text` wrote; `nil` when it is anything else.
    init?(text: String) {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let done = UInt32(parts[0]), let order = AutoRenew(encoded: Array(parts[2].utf8))
        else { return nil }
        self.order = order
        self.done = done
        guard parts[1] != "-" else { return }
        guard let bytes = Hex.decode(String(parts[1])) else { return nil }
        correlationID = bytes
    }
}
