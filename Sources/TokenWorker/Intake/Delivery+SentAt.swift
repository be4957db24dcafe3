// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP

extension Delivery {
    /// When the message was sent, in milliseconds since 1970; `nil` where nothing says so.
    ///
    /// The property counts whole seconds, and is the sender's word. A broker that stamps messages adds a header with
    /// milliseconds, which is better in both.
    var sentAt: Int64? {
        guard let timestamp = properties.timestamp else { return nil }
        if let stamped = properties.headers["timestamp_in_ms"]?.integer { return stamped }
        guard timestamp < UInt64(Int64.max / 1000) else { return nil }
        return Int64(timestamp) * 1000
    }
}
