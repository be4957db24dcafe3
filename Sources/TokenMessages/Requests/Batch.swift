// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Several messages of one kind in one body, answered by one reply.
public enum Batch {
    /// The most items of a batch.
    public static let mostItems = 100

    /// The body with these requests.
    public static func encode(_ requests: [TokenRequest]) -> [UInt8] {
        encode(TokenRequest.listField, requests) { $0.write(to: &$1) }
    }

    /// The body with these renewals.
    public static func encode(_ renewals: [RenewRequest]) -> [UInt8] {
        encode(RenewRequest.listField, renewals) { $0.write(to: &$1) }
    }

    /// The body with these cancels.
    public static func encode(_ cancellations: [CancelRequest]) -> [UInt8] {
        encode(CancelRequest.listField, cancellations) { $0.write(to: &$1) }
    }

    private static func encode<Item>(
        _ field: String, _ items: [Item], write: (Item, inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(capacity: 128 * items.count)
        json.beginObject()
        json.name(field)
        json.beginArray()
        for item in items { write(item, &json) }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
