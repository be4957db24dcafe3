// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The body of a `token.cancel`.
public struct CancelRequest: Sendable, Hashable {
    /// The lease.
    public var lease: LeaseReference

    /// Makes a cancel without checking it.
    ///
    /// - Parameter lease: the lease.
    public init(_ lease: LeaseReference) { self.lease = lease }

    /// Reads and checks a body.
    ///
    /// - Parameter body: a JSON object in UTF-8.
    /// - Returns: the cancel; the token is not parsed yet.
    /// - Throws: ``MessageError`` for the first fault.
    public static func decode(_ body: [UInt8]) throws(MessageError) -> CancelRequest {
        CancelRequest(try MessageFields(body, known: known).leaseReference())
    }

    private static let known = FieldNames([.token, .leaseID])

    /// The body that carries this cancel.
    public func encode() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        lease.write(to: &json)
        json.endObject()
        return json.bytes
    }
}
