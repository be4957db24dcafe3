// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// How the worker renews a lease by itself, at the first lead of each of its tokens.
public struct AutoRenew: Sendable, Hashable {
    /// No renewal after this time, in seconds since 1970.
    public var until: UInt32
    /// The most renewals; nil for as many as there are until then.
    public var most: UInt32?
    /// The queue that gets the new tokens; nil for the reply queue of the request.
    public var replyTo: String?

    /// Makes an order without checking it.
    ///
    /// - Parameters:
    ///   - until: no renewal after this time, in seconds since 1970.
    ///   - most: the most renewals.
    ///   - replyTo: the queue that gets the new tokens; nil for the reply queue of the request.
    public init(until: UInt32, most: UInt32? = nil, replyTo: String? = nil) {
        self.until = until
        self.most = most
        self.replyTo = replyTo
    }
}

extension AutoRenew {
    /// Writes the object that messages and rows have.
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("until", until)
        if let most { json.member("max", most) }
        if let replyTo { json.member("replyTo", replyTo) }
        json.endObject()
    }

    /// The order as a JSON text, for the row of its lease.
    package var encoded: [UInt8] {
        var json = JSONWriter(capacity: 96)
        write(to: &json)
        return json.bytes
    }

    /// Reads what ``encoded`` wrote; nil for anything else.
    ///
    /// - Parameter encoded: the JSON text.
    package init?(encoded: [UInt8]) {
        guard let json = try? JSONReader.read(encoded),
            let until = json.member("until")?.integerValue.flatMap(UInt32.init(exactly:))
        else { return nil }
        self.init(
            until: until, most: json.member("max")?.integerValue.flatMap(UInt32.init(exactly:)),
            replyTo: json.member("replyTo")?.stringValue)
    }
}
