// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// The life of a lease: warned, renewed again and again, ended, cancelled.
@Suite(.timeLimit(.minutes(4)))
struct RenewalTests {
    @Test("B15: warned and told of the end, whatever the client does")
    func warnedThenExpired() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let reply = try await requester.token(
                #"{"channelName":"test","uid":1234,"role":1,"expire":6,"notify":{"before":[3]}}"#)
            #expect(reply.notifyBefore == [3] && reply.renewAfter == reply.expiresAt - 3)
            let warning = try await requester.notice(within: .seconds(20), "will_expire") { $0.kind == "will_expire" }
            let warned = Date().timeIntervalSince1970
            let end = try await requester.notice(within: .seconds(20), "expired") { $0.kind == "expired" }
            let ended = Date().timeIntervalSince1970

            let generation = try #require(reply.generation)
            let lease = try #require(reply.leaseId)
            #expect(warning.specversion == "1.0" && warning.subject == lease)
            #expect(warning.source == "/agora-token/anonymous")
            #expect(warning.data.plannedAt == reply.expiresAt - 3 && end.data.plannedAt == reply.expiresAt)
            #expect(warning.id == "\(lease)/\(generation)/will_expire/\(reply.expiresAt - 3)")
            #expect(end.id == "\(lease)/\(generation)/expired/\(reply.expiresAt)")
            #expect(warning.data.channelName == "test" && warning.data.uid == 1234)
            #expect(warned >= Double(reply.expiresAt) - 4.1, "at most 1 s early")
            #expect(warned < Double(reply.expiresAt), "before the end")
            #expect(ended >= Double(reply.expiresAt) - 0.1, "never early")
            let message = try #require(requester.driver.messages(in: requester.notices).first)
            #expect(message.properties.messageID == warning.id)
            #expect(message.properties.contentType == "application/cloudevents+json")
            #expect(message.routingKey == "will_expire.rtc.anonymous")
            #expect(!message.text.contains("007eJ"), "no notice carries a token")
        }
    }

    @Test("B13: each of twenty generations is warned of once, and only the last one ends")
    func twentyRenewalsInARow() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            var current = try await requester.token(
                #"{"channelName":"test","uid":1234,"role":1,"expire":4,"notify":{"before":[2]}}"#)
            let lease = try #require(current.leaseId)
            var generations = [try #require(current.generation)]
            for round in 1...20 {
                let generation = generations[generations.count - 1]
                _ = try await requester.notice(within: .seconds(10), "will_expire before renewal \(round)") {
                    $0.kind == "will_expire" && $0.data.generation == generation
                }
                let next = try await requester.token(#"{"token":"\#(current.token)"}"#, .renew)
                #expect(next.leaseId == lease)
                #expect(next.expiresAt >= current.expiresAt)
                current = next
                generations.append(try #require(next.generation))
            }
            _ = try await requester.notice(within: .seconds(20), "expired") { $0.kind == "expired" }

            let notices = try requester.notices()
            #expect(generations == Array(Set(generations)).sorted(), "generations grow")
            #expect(Set(notices.map(\.data.generation)) == Set(generations), "each generation is warned of")
            let kinds = notices.map { "\($0.data.generation)/\($0.kind)" }
            #expect(Set(notices.map(\.id)).count == Set(kinds).count, "each with its own id")
            #expect(
                notices.map(\.data.generation) == notices.map(\.data.generation).sorted(), "none after its successor's")
            #expect(notices.filter { $0.kind == "expired" }.map(\.data.generation) == [generations[20]])
        }
    }

    @Test func renewalByLeaseKeepsWhatWasGranted() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let request =
                #"{"channelName":"test","account":"ann","role":2,"expire":600,"privilegeExpire":300,"leaseId":"call-1"}"#
            let issued = try await requester.token(request)
            #expect(issued.leaseId == "call-1")
            #expect(issued.expiresIn == 300, "the lease ends with the right to join")
            let message = try await requester.ask(#"{"leaseId":"call-1"}"#, .renew)
            #expect(message.properties.type == "token.renewed")
            let renewed = try message.json(Contract.Reply.self)
            let findings = try await Verifier.read([issued.token, renewed.token])
            #expect(findings.map(\.signed) == [true, true])
            #expect(findings[0].services == findings[1].services)
            #expect(findings.map(\.expire) == [600, 600])
            #expect(findings[0].services?.first?.privileges == ["1": 300])
            #expect(issued.token != renewed.token)

            let stale = try await requester.error(#"{"token":"\#(issued.token)"}"#, .renew)
            #expect(stale.code == "lease_superseded")
        }
    }

    @Test("B17: a cancelled lease is renewed no more, and silent")
    func cancelledLeasesAreSilent() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let doomed = try await requester.token(
                #"{"channelName":"test","uid":1,"expire":5,"notify":{"before":[2]},"leaseId":"doomed"}"#)
            let kept = try await requester.token(
                #"{"channelName":"test","uid":2,"expire":8,"notify":{"before":[2]},"leaseId":"kept"}"#)
            let cancelled = try await requester.ask(#"{"leaseId":"doomed"}"#, .cancel)
            #expect(cancelled.properties.type == "token.cancelled")
            let refused = try await requester.error(#"{"token":"\#(doomed.token)"}"#, .renew)
            #expect(refused.code == "lease_cancelled")
            // The other one ends later, so what the cancelled one had to say would have come by then.
            #expect(kept.expiresAt > doomed.expiresAt)
            _ = try await requester.notice(within: .seconds(20), "expired") {
                $0.kind == "expired" && $0.data.leaseId == "kept"
            }
            let kinds = try requester.notices(of: "doomed").map(\.kind)
            #expect(Set(kinds).isDisjoint(with: ["will_expire", "expired"]))
        }
    }

    @Test func renewalOfWhatIsOver() async throws {
        try await Scene.withWorker { scene, _ in
            let requester = try await Requester(url: scene.host.url)
            let brief = try await requester.token(#"{"channelName":"test","uid":1,"expire":1,"leaseId":"brief"}"#)
            let unkept = try await requester.token(#"{"channelName":"test","uid":2,"notify":false}"#)
            #expect(unkept.leaseId == nil && !unkept.scheduled)
            let withoutLease = try await requester.error(#"{"token":"\#(unkept.token)"}"#, .renew)
            #expect(withoutLease.code == "lease_not_found")
            let unknown = try await requester.error(#"{"leaseId":"nothing"}"#, .renew)
            #expect(unknown.code == "lease_not_found")
            let garbage = try await requester.error(#"{"token":"007nonsense"}"#, .renew)
            #expect(garbage.code == "token_malformed")
            _ = try await requester.notice(within: .seconds(20), "expired") { $0.kind == "expired" }
            let late = try await requester.error(#"{"token":"\#(brief.token)"}"#, .renew)
            #expect(late.code == "token_expired")
            let lateByLease = try await requester.error(#"{"leaseId":"brief"}"#, .renew)
            #expect(lateByLease.code == "lease_not_found")
        }
    }
}
