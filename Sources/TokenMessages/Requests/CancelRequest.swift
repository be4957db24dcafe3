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
        try CancelRequest(members: MessageFields.object(body))
    }

    private static let known = FieldNames([.token, .leaseID])

    /// The body that carries this cancel.
    public func encode() -> [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        lease.write(to: &json)
        json.endObject()
    }
}

extension CancelRequest: MessageItem {
    package static let listField = "cancellations"
    package static let listFault = ErrorCode.invalidCancellations

    package init(members: [JSONMember]) throws(MessageError) {
        self.init(try MessageFields(members, known: Self.known).leaseReference())
    }
}
