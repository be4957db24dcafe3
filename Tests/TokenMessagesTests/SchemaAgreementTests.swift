// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

/// The schemas and the decoders were written by hand, each by itself: they have to take the same documents.
@Suite("Schemas and decoders", .timeLimit(.minutes(2)))
struct SchemaAgreementTests {
    /// Makes documents of which many are right and many are nearly.
    struct Generator {
        var random: SplitMix

        mutating func one(of values: [String]) -> String { values.randomElement(using: &random) ?? "null" }

        mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

        /// Values that belong to other fields, or to none.
        static let strange = [
            "null", "true", "false", "0", "1", "-1", "1.5", "1e3", "4294967296", "\"\"", "\"1\"", "[]", "{}", "[1]",
            "{\"a\":1}", "\"a\\nb\"", "\"a\\n\"", "\"ä\"", "\"a/b\"", "9007199254740992", "1e400",
            "\"\(String(repeating: "a", count: 65))\"", "\"\(String(repeating: "a", count: 256))\"",
        ]

        /// An object of fields, each with its own chance of being there and values that are right.
        mutating func object(_ fields: [(name: String, percent: Int, values: [String])], slips: Int) -> String {
            var members: [String] = []
            for field in fields {
                guard chance(field.percent) != chance(slips) else { continue }
                members.append("\"\(field.name)\":\(chance(slips) ? one(of: Self.strange) : one(of: field.values))")
            }
            if chance(slips) { members.append("\"\(one(of: ["uuid", "Uid", "autorenew", "requests"]))\":1") }
            return "{\(members.shuffled(using: &random).joined(separator: ","))}"
        }

        static let names = [
            "\"a\"", "\"test\"", "\" {}|~,\"", "\"[]^_-:\"", "\"\(String(repeating: "n", count: 64))\"", "\"0\"",
        ]
        static let longNames = names + ["\"\(String(repeating: "n", count: 255))\""]
        static let privileges = [
            "joinChannel", "publishAudioStream", "publishVideoStream", "publishDataStream", "login",
            "publishMixStream", "publishRawStream", "publish", "play", "user",
        ]

        mutating func request(slips: Int) -> String {
            let service = ServiceName.allCases.randomElement(using: &random) ?? .rtc
            func percent(_ services: ServiceName...) -> Int { services.contains(service) ? 100 : 0 }
            func some(_ services: ServiceName...) -> Int { services.contains(service) ? 40 : 0 }
            let hasUID = service.usesChannel && chance(60)
            let limits = chance(40) ? one(of: ["0", "60", "86400"]) : "{\"\(one(of: Self.privileges))\":60}"
            return object(
                [
                    ("service", service == .rtc ? 50 : 100, ["\"\(service.rawValue)\""]),
                    ("appId", 20, ["\"\(Samples.appID)\""]),
                    ("channelName", service.usesChannel ? 100 : 0, Self.names),
                    ("uid", hasUID ? 100 : 0, ["0", "1", "4294967295", "7.0", "1e3"]),
                    ("account", service.usesChannel && !hasUID ? 100 : 0, Self.longNames),
                    (
                        "userId",
                        max(percent(.rtm, .rtm2, .chatUser), some(.rtcRTM, .convoAI, .stt)),
                        service == .chatUser ? Self.longNames : Self.names
                    ),
                    ("roomUuid", percent(.apaasRoomUser), Self.names),
                    ("userUuid", percent(.apaasRoomUser, .apaasUser), Self.names),
                    ("apaasRole", percent(.apaasRoomUser), ["-32768", "0", "32767"]),
                    (
                        "permissions", percent(.rtm2),
                        ["{}", #"{"users":{}}"#, #"{"users":{"read":["*","a"]},"groupChannels":{"write":[]}}"#]
                    ),
                    (
                        "role", some(.rtc, .rtcRTM, .convoAI, .stt, .fcdn),
                        ["1", "2", "\"publisher\"", "\"subscriber\"", "2.0"]
                    ),
                    ("expire", 30, ["1", "600", "86400"]),
                    (
                        "privilegeExpire", some(.rtc, .rtm, .rtm2, .rtcRTM, .convoAI, .stt, .streaming, .fcdn),
                        [limits]
                    ),
                    ("version", 15, service == .rtc || service == .rtm ? ["\"006\"", "\"007\""] : ["\"007\""]),
                    ("notify", 30, ["false", #"{"before":[]}"#, #"{"before":[30,0,86400]}"#]),
                    ("leaseId", 15, ["\"A-z0.9_:\"", "\"l\"", "\"l-1\""]),
                    (
                        "autoRenew", 20,
                        [
                            #"{"until":1790000000}"#, #"{"until":4294967295,"max":1,"replyTo":"reply.a"}"#,
                            #"{"until":0}"#, #"{"max":1}"#, #"{"until":1,"max":0}"#, #"{"until":1,"often":1}"#, "true",
                        ]
                    ),
                    ("dryRun", 10, ["true", "false"]),
                ], slips: slips)
        }

        mutating func reference(slips: Int, more: [(name: String, percent: Int, values: [String])]) -> String {
            let byToken = chance(50)
            return object(
                [
                    ("token", byToken ? 100 : 0, ["\"007eJ\"", "\"x\""]),
                    ("leaseId", byToken ? 0 : 100, ["\"a\"", "\"l-1\"", "\"\(String(repeating: "x", count: 64))\""]),
                ] + more, slips: slips)
        }

        mutating func renewal(slips: Int) -> String {
            reference(
                slips: slips,
                more: [
                    ("expire", 30, ["1", "86400"]), ("generation", 30, ["1", "9007199254740991"]),
                    ("notify", 30, [#"{"before":[]}"#, #"{"before":[1,2,3,4,5,6,7,8]}"#]),
                ])
        }

        mutating func explanation(slips: Int) -> String {
            let user = one(of: ["uid", "account", "userId", "none"])
            return object(
                [
                    ("token", 100, ["\"\"", "\"007\""]),
                    ("service", 40, ["\"rtc\"", "\"chat\"", "\"chat-user\"", "\"rtc+rtm\""]),
                    ("channelName", 50, ["\"a/b\"", "\"ä\""]), ("uid", user == "uid" ? 100 : 0, ["0", "1"]),
                    ("account", user == "account" ? 100 : 0, ["\"ä\""]),
                    ("userId", user == "userId" ? 100 : 0, ["\"u\""]),
                ], slips: slips)
        }

        /// Sometimes a list of documents.
        mutating func body(_ field: String, slips: Int, _ make: (inout Generator, Int) -> String) -> String {
            guard chance(10) else { return make(&self, slips) }
            let items = (0..<Int.random(in: 0...3, using: &random)).map { _ in make(&self, slips) }
            let list = chance(slips) ? one(of: Self.strange) : "[\(items.joined(separator: ","))]"
            return "{\"\(field)\":\(list)\(chance(slips) ? ",\"expire\":1" : "")}"
        }
    }

    private static let count = 3000

    private func compare(
        _ schema: String, _ make: (inout Generator, Int) -> String, _ accepts: ([UInt8]) -> Bool
    ) throws {
        var generator = Generator(random: SplitMix(state: 20_261_130))
        let documents = (0..<Self.count).map { make(&generator, $0 % 3 == 0 ? 0 : $0 % 3 == 1 ? 2 : 10) }
        let verdicts = try SchemaVerdicts.verdicts(on: documents, schema: schema)
        try #require(verdicts.count == documents.count)
        let differing = zip(documents, verdicts).filter { accepts(Array($0.0.utf8)) != $0.1 }
        let first = differing.prefix(5).map { "schema says \($0.1): \($0.0)" }.joined(separator: "\n")
        #expect(differing.isEmpty, "\(differing.count) documents, such as\n\(first)")
        let right = verdicts.filter(\.self).count
        #expect(right > Self.count * 3 / 10 && right < Self.count * 9 / 10, "\(right) of \(Self.count) are right")
    }

    /// Whether a body, and each of its items, is taken.
    private func takes<Item>(_ type: Item.Type, _ body: [UInt8]) -> Bool where Item: MessageItem {
        switch try? MessageBody<Item>(body) {
        case .single: true
        case .list(let items): items.allSatisfy { (try? $0.get()) != nil }
        case nil: false
        }
    }

    @Test("Requests")
    func requests() throws {
        try compare("request", { $0.body("requests", slips: $1) { $0.request(slips: $1) } }) {
            takes(TokenRequest.self, $0)
        }
    }

    @Test("Renewals")
    func renewals() throws {
        try compare("renew", { $0.body("renewals", slips: $1) { $0.renewal(slips: $1) } }) {
            takes(RenewRequest.self, $0)
        }
    }

    @Test("Cancels")
    func cancels() throws {
        try compare("cancel", { $0.body("cancellations", slips: max($1, 2)) { $0.reference(slips: $1, more: []) } }) {
            takes(CancelRequest.self, $0)
        }
    }

    @Test("Explanations")
    func explanations() throws {
        try compare("explain", { $0.explanation(slips: max($1, 2)) }) { (try? ExplainRequest.decode($0)) != nil }
    }
}
