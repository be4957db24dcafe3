// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("Renewals and cancels")
struct RenewAndCancelRequestTests {
    @Test("A renewal by token or by lease is taken")
    func taken() throws {
        func decode(_ body: String) throws(MessageError) -> RenewRequest {
            try RenewRequest.decode(Array(body.utf8))
        }
        #expect(try decode(#"{"token":"007abc"}"#) == RenewRequest(.token("007abc")))
        #expect(try decode(#"{"leaseId":"device-1"}"#) == RenewRequest(.leaseID("device-1")))
        let generated = "l-" + Key.body([]).hex
        #expect(
            try decode(
                #"{"leaseId":"\#(generated)","expire":60,"generation":9007199254740991,"notify":{"before":[5]}}"#)
                == RenewRequest(
                    .leaseID(generated), expire: 60, generation: 9_007_199_254_740_991, notify: .before([5])))
    }

    @Test(
        "B28: a wrong renewal gets the code and field of its fault",
        arguments: [
            Refusal("{}", .missingField, "token", "neither token nor leaseId"),
            Refusal(#"{"leaseId":7}"#, .invalidLeaseID, "leaseId", "leaseId is 7"),
            Refusal(#"{"leaseId":null}"#, .invalidLeaseID, "leaseId", "null"),
            Refusal(#"{"leaseId":"a/b"}"#, .invalidLeaseID, "leaseId", "a/b"),
            Refusal(#"{"token":7}"#, .invalidToken, "token", "token is 7"),
            Refusal(#"{"token":null}"#, .invalidToken, "token", "null"),
            Refusal(#"{"token":""}"#, .invalidToken, "token", "empty"),
            Refusal(#"{"token":"007a","leaseId":"a"}"#, .fieldNotApplicable, "leaseId", "only one"),
            Refusal(#"{"token":"007a","expire":0}"#, .invalidExpire, "expire", "expire is 0"),
            Refusal(#"{"token":"007a","expire":1796000000}"#, .invalidExpire, "expire", "looks like a time"),
            Refusal(#"{"token":"007a","generation":"5"}"#, .invalidGeneration, "generation", "without quotes"),
            Refusal(#"{"token":"007a","generation":0}"#, .invalidGeneration, "generation", "is 0"),
            Refusal(#"{"token":"007a","generation":null}"#, .invalidGeneration, "generation", "null"),
            Refusal(#"{"token":"007a","generation":9007199254740992}"#, .invalidGeneration, "generation", "to 9007"),
            Refusal(#"{"token":"007a","notify":false}"#, .invalidNotify, "notify", "keeps its lease"),
            Refusal(#"{"token":"007a","notify":true}"#, .invalidNotify, "notify", "notify is true"),
            Refusal(#"{"renewals":[]}"#, .unknownField, "renewals", "not a field"),
            Refusal("[]", .malformedJSON, nil, "an array"), Refusal("", .malformedJSON, nil, "empty"),
        ])
    func renewFaults(refusal: Refusal) throws {
        let error = try #require(try refusal.error(RenewRequest.decode))
        #expect(error.code == refusal.code)
        #expect(error.field == refusal.field)
        #expect(error.message.contains(refusal.says), "\(error.message)")
    }

    @Test(
        "B11: a renewal that would change what it keeps is refused", arguments: ["channelName", "uid", "role", "appId"])
    func b11(field: String) throws {
        let refusal = Refusal(#"{"leaseId":"a","\#(field)":1}"#, .unknownField, field, "a renewal keeps \(field)")
        try renewFaults(refusal: refusal)
    }

    @Test(
        "A wrong cancel gets the code and field of its fault",
        arguments: [
            Refusal("{}", .missingField, "token", "neither token nor leaseId"),
            Refusal(#"{"leaseId":7}"#, .invalidLeaseID, "leaseId", "leaseId is 7"),
            Refusal(#"{"token":"007a","leaseId":"a"}"#, .fieldNotApplicable, "leaseId", "only one"),
            Refusal(#"{"token":"007a","expire":60}"#, .unknownField, "expire", "not a field"),
            Refusal(#"{"cancellations":[]}"#, .unknownField, "cancellations", "not a field"),
        ])
    func cancelFaults(refusal: Refusal) throws {
        let error = try #require(try refusal.error(CancelRequest.decode))
        #expect(error.code == refusal.code)
        #expect(error.field == refusal.field)
        #expect(error.message.contains(refusal.says), "\(error.message)")
    }

    @Test("What is encoded is decoded again")
    func roundTrip() throws {
        for lease in [LeaseReference.token("007abc+/="), .leaseID("device-1")] {
            let plain = RenewRequest(lease)
            let full = RenewRequest(lease, expire: 60, generation: 5, notify: .before([]))
            #expect(try RenewRequest.decode(plain.encode()) == plain)
            #expect(try RenewRequest.decode(full.encode()) == full)
            #expect(try CancelRequest.decode(CancelRequest(lease).encode()) == CancelRequest(lease))
        }
    }
}
