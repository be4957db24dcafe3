// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension TokenRequest {
    /// Reads and checks a body.
    ///
    /// - Parameter body: a JSON object in UTF-8.
    /// - Returns: the request; what depends on the configuration is not checked yet.
    /// - Throws: ``MessageError`` for the first fault.
    public static func decode(_ body: [UInt8]) throws(MessageError) -> TokenRequest {
        try TokenRequest(members: MessageFields.object(body))
    }

    /// Whether the worker carries out `autoRenew`; while it does not, the field is none of the contract.
    private static let servesAutoRenew = true

    private static let known = FieldNames(
        [
            .channelName, .uid, .account, .role, .expire, .privilegeExpire, .notify, .leaseID, .service, .appID,
            .userID, .version, .roomUUID, .userUUID, .apaasRole, .permissions, .dryRun,
        ] + (servesAutoRenew ? [.autoRenew] : []))
}

extension TokenRequest: MessageItem {
    package static let listField = "requests"
    package static let listFault = ErrorCode.invalidRequests

    package init(members: [JSONMember]) throws(MessageError) {
        let fields = try MessageFields(members, known: Self.known)
        let service = try fields.service()
        let notify = try fields.notify()
        let role = try fields.role()
        self.init(
            scope: try fields.scope(of: service), appID: try fields.appID(), role: role,
            expire: try fields.seconds(.expire, or: .invalidExpire),
            privilegeExpire: try fields.privilegeExpire(service: service, role: role), notify: notify,
            leaseID: try fields.ownLeaseID(notify: notify))
        version = try fields.version(of: service)
        apaasRole = try fields.apaasRole(of: service)
        permissions = try fields.permissions(of: service)
        autoRenew = try fields.autoRenew(notify: notify)
        isDryRun = try fields.dryRun()
    }
}
