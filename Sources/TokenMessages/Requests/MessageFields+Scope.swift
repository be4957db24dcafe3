// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension MessageFields {
    /// Channel or room, and user, of a request for a service.
    func scope(of service: ServiceName) throws(MessageError) -> TokenScope {
        if service.usesChannel { return try channelScope(of: service) }
        var room: String?
        let user: UserIdentity
        switch service {
        case .apaasRoomUser:
            room = try needed(.roomUUID, longest: AgoraText.longestUUID, or: .invalidRoomUUID)
            user = .userUUID(try needed(.userUUID, longest: AgoraText.longestUUID, or: .invalidUserUUID))
        case .apaasUser:
            user = .userUUID(try needed(.userUUID, longest: AgoraText.longestUUID, or: .invalidUserUUID))
        case .chatUser: user = .userID(try needed(.userID, longest: AgoraText.longestChatUser, or: .invalidUserID))
        case .chatApp, .fpa, .apaasApp: user = .project
        default: user = .userID(try needed(.userID, longest: AgoraText.longestUserID, or: .invalidUserID))
        }
        return TokenScope(service: service, channelName: nil, user: user, roomUUID: room)
    }

    private func channelScope(of service: ServiceName) throws(MessageError) -> TokenScope {
        let channelName = try needed(.channelName, longest: AgoraText.longestChannelName, or: .invalidChannelName)
        let signaling = try optional(.userID, longest: AgoraText.longestUserID, or: .invalidUserID)
        let user = try channelUser(of: service, isSignaling: signaling == nil)
        return TokenScope(service: service, channelName: channelName, user: user, signalingUserID: signaling)
    }

    private func needed(_ name: FieldName, longest: Int, or code: ErrorCode) throws(MessageError) -> String {
        guard let text = try optional(name, longest: longest, or: code) else {
            throw MessageError(.missingField, "\(shown(name)) is missing", field: shown(name))
        }
        return text
    }

    /// A text of Agora's characters.
    private func optional(_ name: FieldName, longest: Int, or code: ErrorCode) throws(MessageError) -> String? {
        guard let text = try text(name, or: code) else { return nil }
        try AgoraText.check(text, field: shown(name), longest: longest, or: code)
        return text
    }

    /// The user of a channel, by exactly one of `uid` and `account`.
    ///
    /// - Parameters:
    ///   - service: the service.
    ///   - isSignaling: whether the user is that of Signaling as well, where the service has it.
    /// - Returns: the user.
    /// - Throws: the fault of `uid` or `account`.
    private func channelUser(of service: ServiceName, isSignaling: Bool) throws(MessageError) -> UserIdentity {
        switch (has(.uid), has(.account)) {
        case (true, true):
            throw MessageError(
                .fieldNotApplicable, "uid and account are both there; only one of them may be", field: "account")
        case (false, false):
            throw MessageError(
                .missingField, "neither uid nor account is there; one of them is needed, uid 0 for any user",
                field: "uid")
        case (true, false): return .uid(try uid(of: service))
        case (false, true): return .account(try account(of: service, isSignaling: isSignaling))
        }
    }

    private func uid(of service: ServiceName) throws(MessageError) -> UInt32 {
        guard let uid = try integer(.uid, in: 0...Int64(UInt32.max), or: .invalidUID) else { return 0 }
        guard uid > 0 || !service.isCombined else {
            throw MessageError(
                .invalidUID, "uid is 0, which stands for any user; service \(service.rawValue) needs one user",
                field: "uid")
        }
        return UInt32(uid)
    }

    private func account(of service: ServiceName, isSignaling: Bool) throws(MessageError) -> String {
        let text = try needed(.account, longest: AgoraText.longestAccount, or: .invalidAccount)
        guard !service.isCombined || !isSignaling || text.utf8.count <= AgoraText.longestUserID else {
            throw MessageError(
                .invalidAccount,
                "account is \(text.utf8.count) bytes long; as the Signaling user of service \(service.rawValue) it "
                    + "must not be longer than \(AgoraText.longestUserID), or userId has to name another",
                field: "account")
        }
        return text
    }
}
