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
    case apaasRole, permissions, role, expire, privilegeExpire, version, notify, before
    case leaseID = "leaseId"
    case token, generation
}

/// The fields of one kind of message.
struct FieldNames {
    private let entries: [(count: Int, text: String, name: FieldName)]

    init(_ names: [FieldName]) {
        entries = names.map { ($0.rawValue.utf8.count, $0.rawValue, $0) }
    }

    /// The field of this name.
    ///
    /// Most names are told apart by their lengths, which is quicker than to hash the text.
    subscript(text: String) -> FieldName? {
        let count = text.utf8.count
        for entry in entries where entry.count == count && entry.text == text { return entry.name }
        return nil
    }
}
