// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

public import AgoraToken

/// The body of a `token.explain`: a token, and who would use it where.
public struct ExplainRequest: Sendable, Hashable {
    /// The token; any text, which may be what is wrong with it.
    public var token: String
    /// What the token is used for; nil for RTC if the token has it, otherwise for its first service.
    public var service: Service.Kind?
    /// The channel or room that the client joins.
    public var channelName: String?
    /// Who the client is, as it joins or logs in.
    public var user: RTCUser?

    /// Makes a request without checking it.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - service: what the token is used for.
    ///   - channelName: the channel or room that the client joins.
    ///   - user: who the client is, as it joins or logs in.
    public init(_ token: String, service: Service.Kind? = nil, channelName: String? = nil, user: RTCUser? = nil) {
        self.token = token
        self.service = service
        self.channelName = channelName
        self.user = user
    }

    /// Reads and checks a body.
    ///
    /// - Parameter body: a JSON object in UTF-8.
    /// - Returns: the request; the token is not parsed yet.
    /// - Throws: ``MessageError`` for the first fault.
    public static func decode(_ body: [UInt8]) throws(MessageError) -> ExplainRequest {
        let fields = try MessageFields(MessageFields.object(body), known: known)
        guard let token = fields[.token] else {
            throw MessageError(.missingField, "token is missing", field: "token")
        }
        // An empty text is a token that Agora refuses, so it is explained.
        guard case .string(let text) = token else {
            throw MessageError(
                .invalidToken, "token is \(Shown(token)); it must be a string in quotes", field: "token")
        }
        return ExplainRequest(
            text, service: try fields.serviceKind(),
            channelName: try fields.text(.channelName, or: .invalidChannelName), user: try fields.explainedUser())
    }

    private static let known = FieldNames([.token, .service, .channelName, .uid, .account, .userID])

    /// The body that carries this request.
    public func encode() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("token", token)
        if let service { json.member("service", service.name) }
        if let channelName { json.member("channelName", channelName) }
        switch user {
        case .uid(let number): json.member("uid", number)
        case .account(let name): json.member("account", name)
        case nil: break
        }
        json.endObject()
        return json.bytes
    }
}

extension MessageFields {
    fileprivate func serviceKind() throws(MessageError) -> Service.Kind? {
        guard let text = try text(.service, or: .invalidService) else { return nil }
        guard let kind = Service.Kind(usedFor: text) else {
            throw MessageError(
                .unsupportedService,
                "service \(Shown.quoted(text)) is no service; it must be one of \(Service.Kind.namesOfUses)",
                field: "service")
        }
        return kind
    }

    /// The user by at most one of `uid`, `account` and `userId`.
    fileprivate func explainedUser() throws(MessageError) -> RTCUser? {
        let given = [FieldName.uid, .account, .userID].filter(has)
        guard given.count < 2 else {
            throw MessageError(
                .fieldNotApplicable,
                "\(given.map(\.rawValue).joined(separator: " and ")) are both there; only one of them may be",
                field: given[1].rawValue)
        }
        if let uid = try integer(.uid, in: 0...Int64(UInt32.max), or: .invalidUID) { return .uid(UInt32(uid)) }
        if let account = try text(.account, or: .invalidAccount) { return .account(account) }
        // A user of Signaling or Chat has a name only.
        return try text(.userID, or: .invalidUserID).map { .account($0) }
    }
}
