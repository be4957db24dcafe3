// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a token is for and whose it is: service, channel or room, and user.
///
/// A renewal changes none of it. Two tokens of one caller, project and scope belong to one lease.
public struct TokenScope: Sendable, Hashable {
    /// The service or services.
    public let service: ServiceName
    /// The channel; nil for a service without one.
    public let channelName: String?
    /// The user.
    public let user: UserIdentity
    /// The user of Signaling in a token that is for a call as well, where it is not the same; nil otherwise.
    public let signalingUserID: String?
    /// The room of Flexible Classroom; nil for other services.
    public let roomUUID: String?

    /// Names a scope without checking it.
    ///
    /// - Parameters:
    ///   - service: the service or services.
    ///   - channelName: the channel; nil for a service without one.
    ///   - user: the user.
    ///   - signalingUserID: the user of Signaling, where it is not the one of the channel.
    ///   - roomUUID: the room of Flexible Classroom.
    public init(
        service: ServiceName, channelName: String?, user: UserIdentity, signalingUserID: String? = nil,
        roomUUID: String? = nil
    ) {
        self.service = service
        self.channelName = channelName
        self.user = user
        self.signalingUserID = signalingUserID
        self.roomUUID = roomUUID
    }

    /// Whether several holders may use one token, so that its lease cannot be found by the scope.
    public var isWildcard: Bool { user.isWildcard }
}

extension TokenScope {
    /// Writes `service`, `channelName` or `roomUuid`, and `uid`, `account`, `userId` or `userUuid`.
    package func write(to json: inout JSONWriter) {
        json.member("service", service.rawValue)
        if let channelName { json.member("channelName", channelName) }
        if let roomUUID { json.member("roomUuid", roomUUID) }
        switch user {
        case .uid(let number): json.member("uid", number)
        case .account(let name): json.member("account", name)
        case .userID(let name): json.member("userId", name)
        case .userUUID(let name): json.member("userUuid", name)
        case .project: break
        }
        if let signalingUserID { json.member("userId", signalingUserID) }
    }

    /// Reads what ``write(to:)`` wrote, among other members; nil if they are missing or of other types.
    init?(_ json: JSONValue) {
        guard let service = json.member("service")?.stringValue.flatMap(ServiceName.init(rawValue:)) else {
            return nil
        }
        let userID = json.member("userId")?.stringValue
        let user: UserIdentity?
        switch service {
        case .rtc, .rtcRTM, .convoAI, .stt, .streaming, .fcdn:
            let uid = json.member("uid")?.integerValue.flatMap(UInt32.init(exactly:))
            user = uid.map(UserIdentity.uid) ?? json.member("account")?.stringValue.map(UserIdentity.account)
        case .rtm, .rtm2, .chatUser: user = userID.map(UserIdentity.userID)
        case .apaasRoomUser, .apaasUser: user = json.member("userUuid")?.stringValue.map(UserIdentity.userUUID)
        case .chatApp, .fpa, .apaasApp: user = .project
        }
        guard let user else { return nil }
        self.init(
            service: service, channelName: json.member("channelName")?.stringValue, user: user,
            signalingUserID: service.isCombined ? userID : nil, roomUUID: json.member("roomUuid")?.stringValue)
    }
}
