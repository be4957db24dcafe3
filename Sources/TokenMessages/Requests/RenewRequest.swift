// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The body of a `token.renew`.
public struct RenewRequest: Sendable, Hashable {
    /// The lease.
    public var lease: LeaseReference
    /// The lifetime in seconds, 1 to 86400; nil for that of the token before.
    public var expire: UInt32?
    /// The generation that the caller takes for the newest; nil for whichever is.
    public var generation: Int64?
    /// Which notices to send; ``NotifyOption/standard`` for those of the token before.
    public var notify: NotifyOption

    /// Makes a renewal without checking it.
    ///
    /// - Parameters:
    ///   - lease: the lease.
    ///   - expire: the lifetime in seconds, 1 to 86400; nil for that of the token before.
    ///   - generation: the generation that the caller takes for the newest; nil for whichever is.
    ///   - notify: which notices to send; not ``NotifyOption/none``.
    public init(
        _ lease: LeaseReference, expire: UInt32? = nil, generation: Int64? = nil, notify: NotifyOption = .standard
    ) {
        self.lease = lease
        self.expire = expire
        self.generation = generation
        self.notify = notify
    }

    /// Reads and checks a body.
    ///
    /// - Parameter body: a JSON object in UTF-8.
    /// - Returns: the renewal; the token is not parsed yet.
    /// - Throws: ``MessageError`` for the first fault.
    public static func decode(_ body: [UInt8]) throws(MessageError) -> RenewRequest {
        try RenewRequest(members: MessageFields.object(body))
    }

    /// The body that carries this renewal.
    public func encode() -> [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        lease.write(to: &json)
        if let expire { json.member("expire", expire) }
        if let generation { json.member("generation", generation) }
        notify.write(to: &json)
        json.endObject()
    }

    /// Generations stay below 2^53, so that clients may hold them in a double.
    static let largestGeneration: Int64 = 1 << 53 - 1

    private static let known = FieldNames([.token, .leaseID, .expire, .generation, .notify])

    private static let kept: Set<String> = [
        "service", "appId", "channelName", "uid", "account", "userId", "role", "privilegeExpire", "version",
    ]
}

extension RenewRequest: MessageItem {
    package static let listField = "renewals"
    package static let listFault = ErrorCode.invalidRenewals

    package init(members: [JSONMember]) throws(MessageError) {
        let fields = try MessageFields(members, known: Self.known) { name in
            Self.kept.contains(name) ? "a renewal keeps \(name); send a token.request to change it" : nil
        }
        let lease = try fields.leaseReference()
        let notify = try fields.notify()
        guard notify != .none else {
            throw MessageError(
                .invalidNotify, "notify is false, but a renewal keeps its lease; cancel it to end its notices",
                field: "notify")
        }
        self.init(
            lease, expire: try fields.seconds(.expire, or: .invalidExpire),
            generation: try fields.integer(.generation, in: 1...Self.largestGeneration, or: .invalidGeneration),
            notify: notify)
    }
}
