// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("Secrets in errors")
struct SecretTests {
    private let token =
        "007eJxTYGCIbt4c4PiCnf3dxcd2lasLskqU3j+37wn98LmhoWiH138FBktzA2dHY9OUVDODZBMTMxPTpKTEVItEI0NTAzPDJGPj"

    /// Bodies with a secret in each place where a message can have a text, by mistake or on purpose.
    private func bodies(_ secret: String) -> [String] {
        let values = [
            "service", "appId", "channelName", "uid", "account", "userId", "role", "expire", "privilegeExpire",
            "version",
            "notify", "leaseId", "token", "generation", "roomUuid", "userUuid", "apaasRole", "permissions", "dryRun",
            "requests", "renewals", "cancellations",
        ]
        let asValues = values.flatMap { name in
            [
                #"{"\#(name)":"\#(secret)","uid":1,"channelName":"c"}"#, #"{"\#(name)":"\#(secret)"}"#,
                #"{"\#(name)":{"\#(secret)":"\#(secret)"},"channelName":"c"}"#, #"{"\#(name)":["\#(secret)"]}"#,
                #"{"uid":1,"channelName":"c","\#(name)":" \#(secret)/"}"#,
            ]
        }
        return asValues + [
            #"{"\#(secret)":1}"#, #"{"uid":1,"channelName":"c","notify":{"\#(secret)":1}}"#,
            #"{"uid":1,"channelName":"c","privilegeExpire":{"\#(secret)":1}}"#, "\"\(secret)\"", "{\"\(secret)", secret,
            #"{"service":"rtm2","userId":"u","permissions":{"\#(secret)":{}}}"#,
            #"{"service":"rtm2","userId":"u","permissions":{"users":{"\#(secret)":[]}}}"#,
            #"{"service":"rtm2","userId":"u","permissions":{"users":{"read":["\#(secret)/"]}}}"#,
            #"{"requests":[],"\#(secret)":1}"#, #"{"token":7,"service":"\#(secret)"}"#,
            #"{"leaseId":"\#(secret)","token":"\#(secret)"}"#, #"{"service":"rtm","userId":"\#(secret)/"}"#,
        ]
    }

    @Test("B18: no error repeats a token or certificate, wherever it stood")
    func b18() {
        let upper = Samples.certificate.uppercased()
        for secret in [
            token, Samples.certificate, upper, Samples.certificate + "0", "x" + token, String(token.dropFirst(3)),
        ] {
            // A part long enough to be of use to anyone must not be there either.
            let part = String(secret.dropFirst(4).prefix(16))
            for body in bodies(secret) {
                let bytes = Array(body.utf8)
                let decoders: [([UInt8]) throws -> Void] = [
                    { _ = try TokenRequest.decode($0) }, { _ = try RenewRequest.decode($0) },
                    { _ = try CancelRequest.decode($0) }, { _ = try ExplainRequest.decode($0) },
                    { _ = try MessageBody<TokenRequest>($0) }, { _ = try MessageBody<RenewRequest>($0) },
                    { _ = try MessageBody<CancelRequest>($0) },
                ]
                for decode in decoders {
                    do {
                        try decode(bytes)
                    } catch {
                        let reply = String(decoding: (error as? MessageError)?.encode() ?? [], as: UTF8.self)
                        #expect(!reply.isEmpty)
                        #expect(!reply.contains(part), "\(reply)")
                    }
                }
            }
        }
    }

    @Test("Names in plain words are told, however long")
    func longNames() throws {
        let refusal = Refusal(#"{"publishAudioStreamExpireSeconds":1}"#, .unknownField, nil, "")
        let error = try #require(try refusal.error(TokenRequest.decode))
        #expect(error.field == "publishAudioStreamExpireSeconds")
    }

    @Test("Errors stay short and on one line, whatever the body holds")
    func short() throws {
        let long = String(repeating: "x\\n", count: 50_000)
        for body in [
            #"{"\#(long)":1}"#, #"{"uid":"\#(long)","channelName":"c"}"#, #"{"uid":1,"channelName":"\#(long)"}"#,
            #"{"uid":\#(String(repeating: "9", count: 50_000)),"channelName":"c"}"#,
            #"{"uid":1,"channelName":"c","service":"\#(long)"}"#, #"{"uid":1,"channelName":"c","role":"\u202e"}"#,
        ] {
            let error = try #require(try Refusal(body, .internal, nil, "").error(TokenRequest.decode))
            #expect(error.message.utf8.count < 400)
            #expect((error.field ?? "").utf8.count < 200)
            let controls = error.message.unicodeScalars.filter { $0.properties.generalCategory == .control }
            #expect(controls.isEmpty)
            #expect(!error.message.unicodeScalars.contains("\u{202E}"))
        }
    }
}
