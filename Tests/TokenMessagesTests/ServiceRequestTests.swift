// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing
import TokenMessages

@Suite("Requests for every service")
struct ServiceRequestTests {
    /// The smallest request for each service, and the identity that its token has.
    static let smallest: [(ServiceName, String)] = [
        (.rtc, #""channelName":"c","uid":1"#), (.rtm, #""userId":"u""#),
        (.rtcRTM, #""channelName":"c","account":"a""#), (.chatUser, #""userId":"u""#), (.chatApp, ""), (.fpa, ""),
        (.apaasRoomUser, #""roomUuid":"r","userUuid":"u","apaasRole":1"#), (.apaasUser, #""userUuid":"u""#),
        (.apaasApp, ""), (.rtm2, #""userId":"u","permissions":{}"#), (.convoAI, #""channelName":"c","uid":1"#),
        (.stt, #""channelName":"c","uid":1,"userId":"s""#), (.streaming, #""channelName":"c","uid":0"#),
        (.fcdn, #""channelName":"c","account":"a","role":2"#),
    ]

    static func body(_ service: ServiceName, _ fields: String) -> [UInt8] {
        Array((#"{"service":"\#(service.rawValue)""# + (fields.isEmpty ? "" : ",\(fields)") + "}").utf8)
    }

    @Test("Each service has a request, which survives the row of its lease and its token")
    func everyService() throws {
        #expect(Set(Self.smallest.map(\.0)) == Set(ServiceName.allCases))
        var identities: Set<[UInt8]> = []
        for (service, fields) in Self.smallest {
            let request = try TokenRequest.decode(Self.body(service, fields))
            #expect(request.scope.service == service)
            #expect(try TokenRequest.decode(request.encode()) == request)
            let grant = try Grant(request, appID: Samples.appID, defaultLifetime: 3600)
            #expect(Grant(encoded: grant.encoded) == grant)
            identities.insert(grant.scope.packed)
            let certificate = try AppCertificate(Samples.certificate)
            let token = try grant.token(issuedAt: 1_790_000_000, salt: 1, certificate: certificate)
            let read = try Grant(AccessToken.parse(token))
            #expect(read.scope.packed == grant.scope.packed, "\(service)")
            #expect(read.scope.service == service)
            #expect(read.privileges == grant.privileges)
        }
        #expect(identities.count == Self.smallest.count, "each is a lease of its own")
    }

    @Test("Every field of the contract is refused where the service does not use it")
    func fieldsOfOthers() throws {
        let values = [
            "channelName": #""c""#, "uid": "1", "account": #""a""#, "role": "1", "userId": #""u""#, "roomUuid": #""r""#,
            "userUuid": #""u""#, "apaasRole": "1", "permissions": "{}", "privilegeExpire": "60",
        ]
        let used: [ServiceName: Set<String>] = [
            .rtc: ["channelName", "uid", "account", "role", "privilegeExpire"], .rtm: ["userId", "privilegeExpire"],
            .rtcRTM: ["channelName", "uid", "account", "role", "userId", "privilegeExpire"],
            .chatUser: ["userId"], .chatApp: [], .fpa: [], .apaasRoomUser: ["roomUuid", "userUuid", "apaasRole"],
            .apaasUser: ["userUuid"], .apaasApp: [], .rtm2: ["userId", "permissions", "privilegeExpire"],
            .convoAI: ["channelName", "uid", "account", "role", "userId", "privilegeExpire"],
            .stt: ["channelName", "uid", "account", "role", "userId", "privilegeExpire"],
            .streaming: ["channelName", "uid", "account", "privilegeExpire"],
            .fcdn: ["channelName", "uid", "account", "role", "privilegeExpire"],
        ]
        for (service, _) in Self.smallest {
            for (name, value) in values {
                let error = try #require(
                    try Refusal(#"{"service":"\#(service.rawValue)","\#(name)":\#(value)}"#, .internal, nil, "")
                        .error(TokenRequest.decode) ?? MessageError(.internal, "taken"))
                #expect(
                    (error.code == .fieldNotApplicable && error.field == name)
                        == !(used[service]?.contains(name) ?? false), "\(service) \(name): \(error)")
            }
        }
    }

    @Test(
        "What a service needs has to be there and right",
        arguments: [
            Refusal(#"{"service":"chat-user"}"#, .missingField, "userId", "missing"),
            Refusal(#"{"service":"chat-user","userId":null}"#, .invalidUserID, "userId", "null"),
            Refusal(#"{"service":"apaas-user"}"#, .missingField, "userUuid", "missing"),
            Refusal(#"{"service":"apaas-user","userUuid":7}"#, .invalidUserUUID, "userUuid", "in quotes"),
            Refusal(
                #"{"service":"apaas-room-user","userUuid":"u","apaasRole":1}"#, .missingField, "roomUuid", "missing"),
            Refusal(
                #"{"service":"apaas-room-user","roomUuid":"r/","userUuid":"u","apaasRole":1}"#, .invalidRoomUUID,
                "roomUuid", "position 2"),
            Refusal(
                #"{"service":"apaas-room-user","roomUuid":"r","userUuid":"u"}"#, .missingField, "apaasRole", "missing"),
            Refusal(
                #"{"service":"apaas-room-user","roomUuid":"r","userUuid":"u","apaasRole":32768}"#, .invalidAPaaSRole,
                "apaasRole", "-32768 to 32767"),
            Refusal(#"{"service":"rtm2","userId":"u"}"#, .missingField, "permissions", "missing"),
            Refusal(#"{"service":"rtm2","userId":"u","permissions":[]}"#, .invalidPermissions, "permissions", "object"),
            Refusal(
                #"{"service":"rtm2","userId":"u","permissions":{"rooms":{}}}"#, .unknownField, "permissions.rooms",
                "messageChannels"),
            Refusal(
                #"{"service":"rtm2","userId":"u","permissions":{"users":{"join":[]}}}"#, .unknownField,
                "permissions.users.join", "read, write"),
            Refusal(
                #"{"service":"rtm2","userId":"u","permissions":{"users":{"read":["a/b"]}}}"#, .invalidPermissions,
                "permissions.users.read", "position 2"),
            Refusal(
                #"{"service":"rtm2","userId":"u","permissions":{"users":{"read":[\#(names)]}}}"#, .invalidPermissions,
                "permissions.users.read", "51 names"),
            Refusal(#"{"service":"fpa","version":"006"}"#, .invalidVersion, "version", "007 only"),
            Refusal(
                #"{"service":"rtc+rtm","channelName":"c","uid":1,"version":"006"}"#, .invalidVersion, "version", "007"),
            Refusal(#"{"service":"convoai","channelName":"c","uid":0}"#, .invalidUID, "uid", "convoai needs one user"),
            Refusal(#"{"channelName":"c","uid":1,"dryRun":1}"#, .invalidDryRun, "dryRun", "true or false"),
            Refusal(
                #"{"service":"fcdn","channelName":"c","uid":1,"role":2,"privilegeExpire":{"publish":5}}"#,
                .invalidPrivilegeExpire, "privilegeExpire.publish", "subscriber"),
            Refusal(
                #"{"service":"fcdn","channelName":"c","uid":1,"privilegeExpire":{"joinChannel":5}}"#,
                .fieldNotApplicable, "privilegeExpire.joinChannel", "fcdn"),
        ])
    func refused(_ refusal: Refusal) throws {
        let error = try #require(try refusal.error(TokenRequest.decode))
        #expect(error.code == refusal.code)
        #expect(error.field == refusal.field)
        #expect(error.message.contains(refusal.says), "\(error.message)")
    }

    static let names = Array(repeating: #""n""#, count: 51).joined(separator: ",")

    @Test("A row of before there was a choice of versions is still read")
    func oldRow() throws {
        let old =
            #"{"appId":"\#(Samples.appID)","service":"rtc","channelName":"test","uid":1234,"expire":3600,"role":1}"#
        #expect(Grant(encoded: Array(old.utf8)) == Samples.grant())
    }

    @Test("A token of version 006 proves its grant and no other")
    func legacyProof() throws {
        func grant(_ channel: String, _ uid: Int) throws -> Grant {
            let body = #"{"channelName":"\#(channel)","uid":\#(uid),"version":"006","expire":600}"#
            return try Grant(
                TokenRequest.decode(Array(body.utf8)), appID: Samples.appID, defaultLifetime: 3600)
        }
        let certificate = try AppCertificate(Samples.certificate)
        let text = try grant("c", 1).token(issuedAt: 1_790_000_000, salt: 5, certificate: certificate)
        let token = try LegacyToken.parse(text)
        #expect(Grant.issueTime(token) == 1_790_000_000)
        #expect(Grant.end(token) == 1_790_000_600)
        #expect(try grant("c", 1).isProved(by: token, certificate: certificate))
        #expect(try !grant("c", 2).isProved(by: token, certificate: certificate))
        #expect(try !grant("d", 1).isProved(by: token, certificate: certificate))
        let other = try AppCertificate(String(Samples.certificate.reversed()))
        #expect(try !grant("c", 1).isProved(by: token, certificate: other))
    }
}
