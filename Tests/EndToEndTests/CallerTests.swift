// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport
import Testing

/// Callers, told apart by the user that the broker has checked, cannot touch each other's leases.
@Suite(.timeLimit(.minutes(3)))
struct CallerTests {
    @Test func leasesBelongToTheirCaller() async throws {
        try await Scene.withWorker { scene, _ in
            try await scene.host.withUser("ann") { ann, annURL in
                try await scene.host.withUser("ben") { ben, benURL in
                    try await intrude(
                        owner: try await Requester(url: annURL, noticesOf: "u-\(ann)"), ann,
                        intruder: try await Requester(url: benURL, noticesOf: "u-\(ben)"), ben)
                }
            }
        }
    }

    private func intrude(owner: Requester, _ ann: String, intruder: Requester, _ ben: String) async throws {
        let same = #"{"channelName":"test","uid":1234,"role":1}"#
        let (asAnn, asBen) = (DriverProperties(userID: ann), DriverProperties(userID: ben))
        let hers = try await owner.token(same, .request, asAnn)
        let named = try await owner.token(#"{"channelName":"own","uid":1,"leaseId":"call-1"}"#, .request, asAnn)
        let lease = try #require(hers.leaseId)

        for attempt in [#"{"token":"\#(hers.token)"}"#, #"{"leaseId":"\#(lease)"}"#, #"{"leaseId":"call-1"}"#] {
            for kind in [Requester.Kind.renew, .cancel] {
                let refused = try await intruder.error(attempt, kind, asBen)
                #expect(refused.code == "lease_not_found", "\(kind) of \(attempt)")
            }
        }

        // The same channel and user, and the same own name, are another lease for another caller.
        let his = try await intruder.token(same, .request, asBen)
        #expect(his.leaseId != lease)
        let hisNamed = try await intruder.token(#"{"channelName":"own","uid":1,"leaseId":"call-1"}"#, .request, asBen)
        #expect(hisNamed.leaseId == "call-1")

        let generation = try #require(hers.generation)
        let renewed = try await owner.token(
            #"{"leaseId":"\#(lease)","generation":\#(generation)}"#, .renew, asAnn)
        #expect(renewed.leaseId == lease)
        let renewedNamed = try await owner.token(#"{"token":"\#(named.token)"}"#, .renew, asAnn)
        #expect(renewedNamed.leaseId == "call-1")
    }

    @Test func noticesGoToTheirCaller() async throws {
        try await Scene.withWorker { scene, _ in
            try await scene.host.withUser("ann") { ann, url in
                let owner = try await Requester(url: url, noticesOf: "u-\(ann)")
                let others = try await Requester(url: scene.host.url, noticesOf: "a-billing%2F1")
                let asAnn = DriverProperties(userID: ann)
                let asApp = DriverProperties(appID: "billing/1")
                let request = #"{"channelName":"test","uid":1234,"expire":3,"notify":{"before":[]}}"#
                let hers = try await owner.token(request, .request, asAnn)
                let theirs = try await others.token(request, .request, asApp)
                #expect(hers.leaseId != theirs.leaseId)
                let first = try await owner.notice(within: .seconds(20), "expired") { _ in true }
                #expect(first.data.caller == "u-\(ann)" && first.data.leaseId == hers.leaseId)
                let second = try await others.notice(within: .seconds(20), "expired") { _ in true }
                #expect(second.data.caller == "a-billing%2F1" && second.data.leaseId == theirs.leaseId)
                #expect(try owner.notices().count == 1 && others.notices().count == 1)
            }
        }
    }
}
