// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension TokenReply {
    /// The body that carries this reply.
    public func encode() -> [UInt8] {
        var json = JSONWriter(capacity: 1024)
        write(to: &json)
        return json.bytes
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        if isDryRun { json.member("dryRun", true) } else { json.member("token", token) }
        if let leaseID { json.member("leaseId", leaseID) }
        if let generation { json.member("generation", generation) }
        json.member("appId", appID)
        scope.write(to: &json)
        json.member("issuedAt", issuedAt)
        json.member("expiresAt", expiresAt)
        json.member("expiresIn", expiresIn)
        json.member("renewAfter", renewAfter)
        json.member("notifyBefore", notifyBefore)
        json.name("privileges")
        json.write(privileges)
        json.member("scheduled", isScheduled)
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
        isDryRun = fields.json.member("dryRun") == .bool(true)
        token = isDryRun ? "" : try fields.string("token")
        leaseID = try fields.optionalString("leaseId")
        generation = try fields.optionalInteger("generation")
        appID = try fields.string("appId")
        scope = try fields.scope()
        issuedAt = try fields.seconds("issuedAt")
        expiresAt = try fields.seconds("expiresAt")
        renewAfter = try fields.seconds("renewAfter")
        notifyBefore = try fields.secondsList("notifyBefore")
        privileges = try fields.privileges("privileges")
        isScheduled = try fields.bool("scheduled")
        warnings = try fields.strings("warnings")
    }
}
