// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

/// A call of an official builder, and the token that it gave.
struct BuilderVector: Decodable {
    let id: String
    let entryPoint: String
    let issueTs: UInt32
    let salt: UInt32
    let args: Arguments
    let expectedToken: String
    let payloadHex: String?

    /// The arguments of all builders; each uses some.
    struct Arguments: Decodable {
        let appId: String
        let appCertificate: String
        let channelName: String?
        let uid: UInt32?
        let account: String?
        let rtcAccount: String?
        let role: Role?
        let rtcRole: Role?
        let tokenExpire: UInt32?
        let rtcTokenExpire: UInt32?
        let rtmTokenExpire: UInt32?
        let privilegeExpire: UInt32?
        let joinChannelPrivilegeExpire: UInt32?
        let pubAudioPrivilegeExpire: UInt32?
        let pubVideoPrivilegeExpire: UInt32?
        let pubDataStreamPrivilegeExpire: UInt32?
        let rtmUserId: String?
        let userId: String?
        let permissions: [String: [String: [String]]]?
        let expire: UInt32?
        let roomUuid: String?
        let userUuid: String?
        let privilegeExpiredTs: UInt32?
    }

    /// A role by name, or a number.
    enum Role: Decodable {
        case named(String)
        case number(Int16)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self =
                if let number = try? container.decode(Int16.self) { .number(number) } else {
                    .named(try container.decode(String.self))
                }
        }

        var rtc: RTCRole {
            get throws {
                guard case .named(let name) = self else { throw UnknownRole() }
                return name == "publisher" ? .publisher : .subscriber
            }
        }

        var legacy: LegacyRole {
            get throws {
                guard case .named(let name) = self else { throw UnknownRole() }
                let roles: [String: LegacyRole] = [
                    "attendee": .attendee, "publisher": .publisher, "subscriber": .subscriber, "admin": .admin,
                ]
                return try #require(roles[name])
            }
        }

        var apaas: Int16 {
            get throws {
                guard case .number(let number) = self else { throw UnknownRole() }
                return number
            }
        }

        struct UnknownRole: Error {}
    }

    /// The token that the builder of the same meaning in this library gives.
    var token: String {
        get throws {
            let certificate = try AppCertificate(args.appCertificate)
            if let legacy = try legacy { return try legacy.signed(with: certificate) }
            return try current.signed(with: certificate)
        }
    }

    private var legacy: LegacyToken? {
        get throws {
            let appID = try AppID(args.appId)
            let end = issueTs &+ 86_400
            switch entryPoint {
            case "RtcTokenBuilder.buildTokenWithUid", "RtcTokenBuilder.buildTokenWithUserAccount":
                return .rtc(
                    appID: appID, channel: try #require(args.channelName), user: try user,
                    role: try #require(args.role).legacy, privilegesUntil: try #require(args.privilegeExpiredTs),
                    expiresAt: end, salt: salt)
            case "RtmTokenBuilder.buildToken":
                return .rtm(
                    appID: appID, userID: try #require(args.userId),
                    privilegesUntil: try #require(args.privilegeExpiredTs), expiresAt: end, salt: salt)
            default:
                return nil
            }
        }
    }

    private var user: RTCUser {
        get throws {
            if let uid = args.uid { return .uid(uid) }
            return .account(try #require(args.account ?? args.rtcAccount))
        }
    }

    private var privileges: Privileges {
        get throws {
            [
                1: try #require(args.joinChannelPrivilegeExpire), 2: try #require(args.pubAudioPrivilegeExpire),
                3: try #require(args.pubVideoPrivilegeExpire), 4: try #require(args.pubDataStreamPrivilegeExpire),
            ]
        }
    }

    private var call: RTCCall {
        get throws {
            RTCCall(
                channel: try #require(args.channelName), user: try user, role: try #require(args.rtcRole).rtc,
                privileges: try privileges)
        }
    }

    private var current: AccessToken {
        get throws {
            let appID = try AppID(args.appId)
            switch entryPoint {
            case "RtcTokenBuilder2.buildTokenWithUid", "RtcTokenBuilder2.buildTokenWithUserAccount":
                return .rtc(
                    appID: appID, channel: try #require(args.channelName), user: try user,
                    role: try #require(args.role).rtc, lifetime: try #require(args.tokenExpire),
                    privilegeLifetime: try #require(args.privilegeExpire), issuedAt: issueTs, salt: salt)
            case "RtcTokenBuilder2.buildTokenWithUidAndPrivilege",
                "RtcTokenBuilder2.buildTokenWithUserAccountAndPrivilege":
                return .rtc(
                    appID: appID, channel: try #require(args.channelName), user: try user,
                    privileges: try privileges, lifetime: try #require(args.tokenExpire), issuedAt: issueTs,
                    salt: salt)
            case "RtcTokenBuilder2.buildTokenWithRtm":
                return .rtcAndRTM(
                    appID: appID, channel: try #require(args.channelName), account: try #require(args.account),
                    role: try #require(args.role).rtc, lifetime: try #require(args.tokenExpire),
                    privilegeLifetime: try #require(args.privilegeExpire), issuedAt: issueTs, salt: salt)
            case "RtcTokenBuilder2.buildTokenWithRtm2":
                return .rtcAndRTM(
                    appID: appID, call: try call, rtmUserID: try #require(args.rtmUserId),
                    rtmLifetime: try #require(args.rtmTokenExpire), lifetime: try #require(args.rtcTokenExpire),
                    issuedAt: issueTs, salt: salt)
            case "ConvoAITokenBuilder.buildToken":
                return .convoAI(
                    appID: appID, call: try call, rtmUserID: try #require(args.rtmUserId),
                    rtmLifetime: try #require(args.rtmTokenExpire), lifetime: try #require(args.rtcTokenExpire),
                    issuedAt: issueTs, salt: salt)
            case "SttTokenBuilder.buildToken":
                return .speechToText(
                    appID: appID, call: try call, rtmUserID: try #require(args.rtmUserId),
                    rtmLifetime: try #require(args.rtmTokenExpire), lifetime: try #require(args.rtcTokenExpire),
                    issuedAt: issueTs, salt: salt)
            case "FpaTokenBuilder.buildToken":
                return .fpa(appID: appID, issuedAt: issueTs, salt: salt)
            default:
                return try single(appID)
            }
        }
    }

    /// The builders whose only lifetime is `expire`.
    private func single(_ appID: AppID) throws -> AccessToken {
        let lifetime = try #require(args.expire)
        switch entryPoint {
        case "RtmTokenBuilder2.buildToken":
            return .rtm(
                appID: appID, userID: try #require(args.userId), lifetime: lifetime, issuedAt: issueTs, salt: salt)
        case "RtmTokenBuilder2.buildTokenWithPermissions":
            return .rtm2(
                appID: appID, userID: try #require(args.userId),
                permissions: try RTMPermissions(vector: try #require(args.permissions)), lifetime: lifetime,
                issuedAt: issueTs, salt: salt)
        case "ChatTokenBuilder2.buildUserToken":
            return .chatUser(
                appID: appID, userID: try #require(args.userId), lifetime: lifetime, issuedAt: issueTs, salt: salt)
        case "ChatTokenBuilder2.buildAppToken":
            return .chatApp(appID: appID, lifetime: lifetime, issuedAt: issueTs, salt: salt)
        case "EducationTokenBuilder2.buildRoomUserToken", "ApaasTokenBuilder.buildRoomUserToken":
            return .apaasRoomUser(
                appID: appID, room: try #require(args.roomUuid), user: try #require(args.userUuid),
                role: try #require(args.role).apaas, lifetime: lifetime, issuedAt: issueTs, salt: salt)
        case "EducationTokenBuilder2.buildUserToken", "ApaasTokenBuilder.buildUserToken":
            return .apaasUser(
                appID: appID, user: try #require(args.userUuid), lifetime: lifetime, issuedAt: issueTs, salt: salt)
        case "EducationTokenBuilder2.buildAppToken", "ApaasTokenBuilder.buildAppToken":
            return .apaasApp(appID: appID, lifetime: lifetime, issuedAt: issueTs, salt: salt)
        default:
            throw UnknownBuilder(name: entryPoint)
        }
    }

    struct UnknownBuilder: Error {
        let name: String
    }
}
