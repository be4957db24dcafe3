// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension MessageFields {
    /// Channel and user of a request for a service.
    func scope(of service: ServiceName) throws(MessageError) -> TokenScope {
        guard service.usesChannel else {
            return TokenScope(service: service, channelName: nil, user: .userID(try userID()))
        }
        guard let channelName = try text(.channelName, or: .invalidChannelName) else {
            throw MessageError(.missingField, "channelName is missing", field: "channelName")
        }
        try AgoraText.check(
            channelName, field: "channelName", longest: AgoraText.longestChannelName, or: .invalidChannelName)
        return TokenScope(service: service, channelName: channelName, user: try channelUser(of: service))
    }

    private func userID() throws(MessageError) -> String {
        guard let text = try text(.userID, or: .invalidUserID) else {
            throw MessageError(.missingField, "userId is missing", field: "userId")
        }
        try AgoraText.check(text, field: "userId", longest: AgoraText.longestUserID, or: .invalidUserID)
        return text
    }

    /// The user of a channel, by exactly one of `uid` and `account`.
    private func channelUser(of service: ServiceName) throws(MessageError) -> UserIdentity {
        switch (has(.uid), has(.account)) {
        case (true, true):
            throw MessageError(
                .fieldNotApplicable, "uid and account are both there; only one of them may be", field: "account")
        case (false, false):
            throw MessageError(
                .missingField, "neither uid nor account is there; one of them is needed, uid 0 for any user",
                field: "uid")
        case (true, false): return .uid(try uid(of: service))
        case (false, true): return .account(try account(of: service))
        }
    }

    private func uid(of service: ServiceName) throws(MessageError) -> UInt32 {
        guard let uid = try integer(.uid, in: 0...Int64(UInt32.max), or: .invalidUID) else { return 0 }
        guard uid > 0 || service == .rtc else {
            throw MessageError(
                .invalidUID, "uid is 0, which stands for any user; service rtc+rtm needs one user", field: "uid")
        }
        return UInt32(uid)
    }

    private func account(of service: ServiceName) throws(MessageError) -> String {
        guard let text = try text(.account, or: .invalidAccount) else { return "" }
        try AgoraText.check(text, field: "account", longest: AgoraText.longestAccount, or: .invalidAccount)
        guard service == .rtc || text.utf8.count <= AgoraText.longestUserID else {
            throw MessageError(
                .invalidAccount,
                "account is \(text.utf8.count) bytes long; as the RTM user of service rtc+rtm it must not be longer "
                    + "than \(AgoraText.longestUserID)", field: "account")
        }
        return text
    }
}
