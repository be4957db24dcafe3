// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Foundation
import Testing
import TokenMessages

/// Every call of an official builder, asked for as a request: the token has to be the same, byte for byte.
@Suite("Requests and the official builders")
struct BuilderVectorTests {
    struct Vector: Sendable, CustomStringConvertible {
        let id: String
        let version: String
        let issuedAt: UInt32
        let salt: UInt32
        let certificate: String
        let token: String
        /// The request for the same.
        let body: [UInt8]
        /// Whether a request may say it: builders take empty names, any characters, and a login that
        /// outlasts the token.
        let isTaken: Bool

        var description: String { id }
    }

    static let vectors: [Vector] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../AgoraTokenTests/Vectors/builders.json")
        guard let data = try? Data(contentsOf: file),
            let list = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]]
        else { return [] }
        return list.compactMap(vector)
    }()

    private static func vector(_ json: [String: Any]) -> Vector? {
        guard let id = json["id"] as? String, let version = json["fmt"] as? String,
            let issuedAt = json["issueTs"] as? UInt32, let salt = json["salt"] as? UInt32,
            let token = json["expected_token"] as? String, let arguments = json["args"] as? [String: Any],
            let builder = json["entry_point"] as? String, let certificate = arguments["appCertificate"] as? String
        else { return nil }
        let request = RequestOfBuilder(builder: builder, arguments: arguments, issuedAt: issuedAt).json
        guard let body = try? JSONSerialization.data(withJSONObject: request) else { return nil }
        let texts = arguments.values.compactMap { $0 as? String }
        let outlasts = (arguments["rtmTokenExpire"] as? Int ?? 0) > (arguments["rtcTokenExpire"] as? Int ?? .max)
        return Vector(
            id: id, version: version, issuedAt: issuedAt, salt: salt, certificate: certificate, token: token,
            body: Array(body),
            isTaken: !outlasts && texts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 < 0x80 } })
    }

    @Test("There are vectors for every builder")
    func count() {
        #expect(Self.vectors.count == 148)
        #expect(Self.vectors.filter { !$0.isTaken }.count == 17)
        #expect(Self.vectors.filter { $0.version == "006" }.count == 28)
    }

    @Test("A request gives the token of the builder", arguments: vectors.filter(\.isTaken))
    func sameToken(_ vector: Vector) throws {
        let request = try TokenRequest.decode(vector.body)
        let grant = try Grant(request, appID: #require(request.appID), defaultLifetime: 3600)
        let certificate = try AppCertificate(vector.certificate)
        #expect(try grant.token(issuedAt: vector.issuedAt, salt: vector.salt, certificate: certificate) == vector.token)
        // The row of a lease gives it again.
        let stored = try #require(Grant(encoded: grant.encoded))
        #expect(stored == grant)
        // So does the request, written again.
        #expect(try TokenRequest.decode(request.encode()) == request)
        guard grant.version == .current else { return }
        // And the token, where it tells all.
        let read = try Grant(AccessToken.parse(vector.token))
        #expect(read.scope.packed == grant.scope.packed)
        let again = try read.token(issuedAt: vector.issuedAt, salt: vector.salt, certificate: certificate)
        #expect(again == vector.token)
    }

    @Test("What no client could use is refused", arguments: vectors.filter { !$0.isTaken })
    func refused(_ vector: Vector) throws {
        #expect(throws: MessageError.self) {
            try Grant(TokenRequest.decode(vector.body), appID: Samples.appID, defaultLifetime: 3600)
        }
    }
}

/// A call of a builder as a request.
private struct RequestOfBuilder {
    let builder: String
    let arguments: [String: Any]
    let issuedAt: UInt32

    static let services = [
        "RtcTokenBuilder2.buildTokenWithRtm": "rtc+rtm", "RtcTokenBuilder2.buildTokenWithRtm2": "rtc+rtm",
        "RtmTokenBuilder2.buildToken": "rtm", "RtmTokenBuilder2.buildTokenWithPermissions": "rtm2",
        "ChatTokenBuilder2.buildUserToken": "chat-user", "ChatTokenBuilder2.buildAppToken": "chat-app",
        "EducationTokenBuilder2.buildRoomUserToken": "apaas-room-user",
        "ApaasTokenBuilder.buildRoomUserToken": "apaas-room-user",
        "EducationTokenBuilder2.buildUserToken": "apaas-user", "ApaasTokenBuilder.buildUserToken": "apaas-user",
        "EducationTokenBuilder2.buildAppToken": "apaas-app", "ApaasTokenBuilder.buildAppToken": "apaas-app",
        "FpaTokenBuilder.buildToken": "fpa", "RtmTokenBuilder.buildToken": "rtm",
        "ConvoAITokenBuilder.buildToken": "convoai", "SttTokenBuilder.buildToken": "stt",
    ]

    /// The arguments that a request has under other names.
    static let names = [
        "appId": "appId", "channelName": "channelName", "uid": "uid", "account": "account", "rtcAccount": "account",
        "rtmUserId": "userId", "userId": "userId", "expire": "expire", "tokenExpire": "expire",
        "rtcTokenExpire": "expire", "roomUuid": "roomUuid", "userUuid": "userUuid",
        "privilegeExpire": "privilegeExpire",
    ]

    static let privileges = [
        "joinChannelPrivilegeExpire": "joinChannel", "pubAudioPrivilegeExpire": "publishAudioStream",
        "pubVideoPrivilegeExpire": "publishVideoStream", "pubDataStreamPrivilegeExpire": "publishDataStream",
        "rtmTokenExpire": "login",
    ]

    var json: [String: Any] {
        var request: [String: Any] = [:]
        if let service = Self.services[builder] { request["service"] = service }
        for (name, field) in Self.names where arguments[name] != nil { request[field] = arguments[name] }
        if let role = (arguments["role"] ?? arguments["rtcRole"]) as? String {
            // To the builders of version 006 attendees and admins are publishers.
            request["role"] = role == "subscriber" ? role : "publisher"
        } else if let role = arguments["role"] as? Int {
            request["apaasRole"] = role
        }
        var limits: [String: Any] = [:]
        for (name, privilege) in Self.privileges where arguments[name] != nil { limits[privilege] = arguments[name] }
        if request["role"] as? String == "subscriber" {
            limits = limits.filter { $0.key == "joinChannel" || $0.key == "login" }
        }
        if !limits.isEmpty { request["privilegeExpire"] = limits }
        if builder == "FpaTokenBuilder.buildToken" { request["expire"] = 86_400 }
        if let end = arguments["privilegeExpiredTs"] as? UInt32 {
            request["version"] = "006"
            request["expire"] = end == 0 ? 86_400 : end - issuedAt
        }
        if let permissions = arguments["permissions"] as? [String: [String: [String]]] {
            request["permissions"] = Self.named(permissions)
        }
        return request
    }

    private static func named(_ permissions: [String: [String: [String]]]) -> [String: [String: [String]]] {
        let resources = ["messageChannels", "streamChannels", "groupChannels", "serverGroups", "users"]
        var named: [String: [String: [String]]] = [:]
        for (resource, actions) in permissions {
            guard let number = Int(resource) else { continue }
            for (action, names) in actions {
                named[resources[number], default: [:]][["0": "read", "1": "write"][action] ?? ""] = names
            }
        }
        return named
    }
}
