// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The fields that requests, renewals and cancels may have, with their names in JSON.
enum FieldName: String {
    case service
    case appID = "appId"
    case channelName, uid, account
    case userID = "userId"
    case roomUUID = "roomUuid"
    case userUUID = "userUuid"
    case apaasRole, permissions, role, expire, privilegeExpire, version, notify, before, autoRenew, until
    case most = "max"
    case replyTo, dryRun
    case leaseID = "leaseId"
    case token, generation
}

/// The fields of one kind of message.
struct FieldNames {
    private let names: [FieldName]
    private let texts: [String]
    private let counts: [Int]

    init(_ names: [FieldName]) {
        self.names = names
        texts = names.map(\.rawValue)
        counts = texts.map(\.utf8.count)
    }

    /// The field of this name.
    ///
    /// Most names are told apart by their lengths, which is quicker than to hash the text.
    subscript(text: String) -> FieldName? {
        let count = text.utf8.count
        for position in counts.indices where counts[position] == count && texts[position] == text {
            return names[position]
        }
        return nil
    }
}
