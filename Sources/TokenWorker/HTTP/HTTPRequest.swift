// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// One field of a request's or an answer's head.
package struct HTTPField: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A request as it came.
package struct HTTPRequest: Sendable, Hashable {
    package var method: String
    /// The path without the query.
    package var path: String
    package var fields: [HTTPField]
    package var body: [UInt8]
    /// The address of the other end; empty where it is not known.
    package var peer: String
    /// When its head had been read.
    package let arrival = ContinuousClock.now

    package init(method: String, path: String, fields: [HTTPField] = [], body: [UInt8] = [], peer: String = "") {
        self.method = method
        self.path = path
        self.fields = fields
        self.body = body
        self.peer = peer
    }

    /// The values of a field, whose name is found in any case.
    package func values(_ name: String) -> [String] {
        let wanted = name.lowercased()
        return fields.filter { $0.name.lowercased() == wanted }.map(\.value)
    }

    /// The first value of a field.
    package func value(_ name: String) -> String? { values(name).first }

    /// Why its body cannot be read, as far as its head tells.
    ///
    /// Where two fields disagree about the body's length, a proxy before this server may take a part of the body for
    /// another request: nobody who means well sends that.
    func fault(bodyLimit: Int) -> HTTPFault? {
        let lengths = values("Content-Length")
        let codings = values("Transfer-Encoding")
        guard codings.isEmpty || lengths.isEmpty, lengths.count <= 1, codings.count <= 1 else {
            return .ambiguousLength
        }
        if let coding = codings.first, coding.lowercased() != "chunked" { return .unknownCoding }
        if let length = lengths.first, Int(length) ?? .max > bodyLimit { return .bodyTooLarge(limit: bodyLimit) }
        return nil
    }
}

/// Why the body of a request is not read.
package enum HTTPFault: Sendable, Hashable {
    /// It has more bytes than the server takes.
    case bodyTooLarge(limit: Int)
    /// Its length is said twice.
    case ambiguousLength
    /// Its transfer coding is not `chunked`.
    case unknownCoding
}
