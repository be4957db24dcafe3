// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The body of a `token.cancelled`: which lease was ended, and how long its token goes on.
public struct CancelledReply: Sendable, Hashable {
    /// The lease.
    public var leaseID: String
    /// The number of the cancel: above those of the lease's tokens.
    public var generation: Int64
    /// The App ID of the project.
    public var appID: String
    /// Service, channel and user.
    public var scope: TokenScope
    /// Until when Agora still accepts the token that was issued, in seconds since 1970.
    public var tokenExpiresAt: UInt32
    /// What should be known, in plain sentences.
    public var warnings: [String]

    /// Describes a cancelled lease.
    ///
    /// - Parameters:
    ///   - leaseID: the lease.
    ///   - generation: the number of the cancel.
    ///   - appID: the App ID of the project.
    ///   - scope: service, channel and user.
    ///   - tokenExpiresAt: until when Agora still accepts the token, in seconds since 1970.
    public init(leaseID: String, generation: Int64, appID: String, scope: TokenScope, tokenExpiresAt: UInt32) {
        self.leaseID = leaseID
        self.generation = generation
        self.appID = appID
        self.scope = scope
        self.tokenExpiresAt = tokenExpiresAt
        warnings = ["the token that was issued stays valid until it expires; Agora has no way to take it back"]
    }

    /// The body that carries this reply.
    public func encode() -> [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("leaseId", leaseID)
        json.member("generation", generation)
        json.member("appId", appID)
        scope.write(to: &json)
        json.member("tokenExpiresAt", tokenExpiresAt)
        json.member("warnings", warnings)
        json.endObject()
    }

    /// Reads a reply; members that are not known are passed over.
    ///
    /// - Parameter body: the JSON text.
    /// - Throws: ``ReplyError`` if a member is missing or of another type.
    public init(_ body: [UInt8]) throws(ReplyError) {
        try self.init(ReplyFields(body))
    }

    init(_ fields: ReplyFields) throws(ReplyError) {
        leaseID = try fields.string("leaseId")
        generation = try fields.integer("generation")
        appID = try fields.string("appId")
        scope = try fields.scope()
        tokenExpiresAt = try fields.seconds("tokenExpiresAt")
        warnings = try fields.strings("warnings")
    }
}
