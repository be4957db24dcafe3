// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import AgoraToken
import LeaseStore
import Testing
import TokenMessages

@testable import TokenWorker

/// Where the issuer asks the policy, and about what.
@Suite struct PolicyIssueTests {
    private let file: TemporaryDatabase

    init() throws { file = try TemporaryDatabase() }

    private func bench(_ policy: String, keepsLeases: Bool = true, isAudited: Bool = false) throws -> Bench {
        try Bench(store: keepsLeases ? file.database.open() : nil, policy: Policy(policy), isAudited: isAudited)
    }

    private func delivery(
        _ body: String, user: String? = "ann", app: String? = nil, replyTo: String? = "amq.gen-1", type: String? = nil,
        messageID: String? = nil
    ) -> Delivery {
        delivery(.request, body, user: user, app: app, replyTo: replyTo, type: type, messageID: messageID)
    }

    private func delivery(
        _ kind: MessageKind, _ body: String, user: String? = "ann", app: String? = nil,
        replyTo: String? = "amq.gen-1", type: String? = nil, messageID: String? = nil
    ) -> Delivery {
        Bench.delivery(kind, body, replyTo: replyTo) { properties in
            properties.userID = user
            properties.appID = app
            properties.type = type
            properties.messageID = messageID
        }
    }

    private let body = #"{"channelName":"orders-1","uid":7}"#
    private let orders = """
        {rules: [{name: "orders", for: {users: ["ann"]}, allow: {channels: ["orders-*"], maxExpire: 600}}]}
        """

    @Test func theReplyToARefusalNamesTheRule() throws {
        let bench = try bench(orders)
        #expect(try bench.token(for: delivery(body)).expiresIn == 600)
        let error = try bench.error(for: delivery(#"{"channelName":"boardroom","uid":7}"#))
        #expect(error.code == .policyDenied && !error.isRetryable)
        #expect(error.message == #"rule "orders" does not allow the channel "boardroom" to u-ann"#)
        #expect(try bench.error(for: delivery(body, user: "ben")).code == .policyDenied)
        #expect(
            try bench.error(for: delivery(#"{"channelName":"orders-1","uid":7,"dryRun":true,"expire":601}"#)).code
                == .policyDenied)
    }

    /// A request that leaves its lifetime open gets what it may have; one that names more than that is refused.
    @Test("B05: the longest lifetime is not exceeded, and nothing is cut in silence")
    func theDefaultLifetimeIsCutToTheLongest() throws {
        let bench = try bench(orders)
        #expect(try bench.token(for: delivery(body)).expiresIn == 600)
        #expect(try bench.token(for: delivery(#"{"channelName":"orders-1","uid":7,"expire":60}"#)).expiresIn == 60)
        let error = try bench.error(for: delivery(#"{"channelName":"orders-1","uid":7,"expire":604800}"#))
        #expect(error.code == .invalidExpire)
        let long = try bench.error(for: delivery(#"{"channelName":"orders-1","uid":7,"expire":3600}"#))
        #expect(long.code == .policyDenied && long.message.contains("at most 600 s"))
        let privilege = #"{"channelName":"orders-1","uid":7,"privilegeExpire":601}"#
        #expect(try bench.error(for: delivery(privilege)).code == .invalidPrivilegeExpire)
    }

    @Test func oneItemOfABatchSpoilsNoOther() throws {
        let bench = try bench(orders)
        let batch = #"{"requests":[\#(body),{"channelName":"boardroom","uid":7},\#(body)]}"#
        guard case .batch(let reply) = try bench.reply(to: delivery(batch)) else {
            Issue.record("no batch")
            return
        }
        let codes = reply.results.map { if case .error(let error) = $0 { error.code } else { nil as ErrorCode? } }
        #expect(codes == [nil, .policyDenied, nil])
    }

    /// A renewal is judged by what its lease is for, under the policy of the moment.
    @Test func renewalsAreJudgedByTheirLeases() throws {
        let bench = try bench(orders)
        let first = try bench.token(for: delivery(body))
        let renewal = #"{"token":"\#(first.token)"}"#
        bench.policies.replace(try Policy(orders.replacing("orders-*", with: "other-*")))
        for named in [renewal, #"{"leaseId":"\#(first.leaseID ?? "")"}"#] {
            let error = try bench.error(for: delivery(.renew, named))
            #expect(error.code == .policyDenied && error.message.contains(#"the channel "orders-1""#))
        }
        #expect(try bench.error(for: delivery(.cancel, renewal)).code == .policyDenied)
        let explain = delivery(renewal, type: "token.explain")
        #expect(try bench.error(for: explain).code == .policyDenied)
        bench.policies.replace(try Policy(orders))
        #expect(try bench.token(for: delivery(.renew, renewal)).generation != first.generation)
        guard case .explained = try bench.reply(to: explain) else {
            Issue.record("no explanation")
            return
        }
    }

    /// The end of what is renewed is part of what is signed.
    @Test func aRenewalPastTheLongestLifetimeIsRefused() throws {
        let bench = try bench(orders)
        let first = try bench.token(for: delivery(body))
        let longer = try bench.error(for: delivery(.renew, #"{"token":"\#(first.token)","expire":601}"#))
        #expect(longer.code == .policyDenied)
        bench.policies.replace(try Policy(orders.replacing("600", with: "60")))
        // As short as it asks to be, it must not end before its predecessor, which lasts longer than policy lets it.
        let shorter = try bench.error(for: delivery(.renew, #"{"token":"\#(first.token)","expire":60}"#))
        #expect(shorter.code == .policyDenied)
        guard case .cancelled = try bench.reply(to: delivery(.cancel, #"{"token":"\#(first.token)"}"#)) else {
            Issue.record("a lease that lasts too long cannot be ended")
            return
        }
    }

    @Test func aRepeatIsSignedUnderThePolicyOfTheMoment() throws {
        let bench = try bench(orders)
        let first = try bench.token(for: delivery(body, messageID: "m1"))
        let renewal = delivery(.renew, #"{"token":"\#(first.token)"}"#, messageID: "m2")
        let second = try bench.token(for: renewal)
        #expect(try bench.token(for: renewal).token == second.token)
        bench.policies.replace(try Policy("{rules: []}"))
        #expect(try bench.error(for: renewal).code == .policyDenied)
        #expect(try bench.error(for: delivery(body, messageID: "m1")).code == .policyDenied)
        bench.policies.replace(.everything)
        #expect(try bench.token(for: renewal).token == second.token)
    }

    @Test func withoutAStoreTheTokenIsJudged() throws {
        let bench = try bench(orders, keepsLeases: false)
        let first = try bench.token(for: delivery(body))
        let renewal = delivery(.renew, #"{"token":"\#(first.token)"}"#)
        #expect(try bench.token(for: renewal).expiresIn == 600)
        #expect(
            try bench.error(for: delivery(.renew, #"{"token":"\#(first.token)"}"#, user: "ben")).code == .policyDenied)
        bench.policies.replace(try Policy(orders.replacing("orders-*", with: "other-*")))
        #expect(try bench.error(for: renewal).code == .policyDenied)
    }

    @Test func operationsTouchTheLeasesOfOthers() throws {
        let bench = try bench(
            """
            {rules: [{name: "operations", for: {users: ["ops"]}, allow: {leases: "any"}},
                     {name: "others", allow: {}}]}
            """)
        let hers = try bench.token(for: delivery(body))
        let other = try bench.token(for: delivery(#"{"channelName":"b","uid":1}"#))
        let byID = #"{"leaseId":"\#(hers.leaseID ?? "")"}"#
        for kind in [MessageKind.renew, .cancel] {
            let refused = try bench.error(for: delivery(kind, byID, user: "ben"))
            let missing = try bench.error(
                for: delivery(kind, #"{"leaseId":"l-00000000000000000000000000000000"}"#, user: "ops"))
            #expect(refused.code == .leaseNotFound && refused == missing, "\(kind)")
        }
        let renewed = try bench.token(for: delivery(.renew, byID, user: "ops"))
        #expect(renewed.leaseID == hers.leaseID && renewed.generation != hers.generation)
        guard case .cancelled = try bench.reply(to: delivery(.cancel, byID, user: "ops")) else {
            Issue.record("not cancelled")
            return
        }
        // Its owner stays who it was.
        #expect(try bench.error(for: delivery(.renew, byID)).code == .leaseCancelled)
        #expect(try bench.token(for: delivery(.renew, #"{"token":"\#(other.token)"}"#)).leaseID == other.leaseID)
    }

    @Test func onlyUsersOfTheBrokerWhereThatIsSet() throws {
        let bench = try bench("{requireUser: true}")
        _ = try bench.token(for: delivery(body))
        for (kind, body) in [
            (MessageKind.request, body), (.renew, #"{"leaseId":"a"}"#), (.cancel, #"{"leaseId":"a"}"#),
            (.request, "not JSON"),
        ] {
            let error = try bench.error(for: delivery(kind, body, user: nil, app: "orders"))
            #expect(error.code == .policyDenied && error.message.contains("user_id"))
        }
        #expect(
            try bench.error(for: delivery(#"{"token":""}"#, user: nil, type: "token.explain")).code == .policyDenied)
        // Nobody can be answered, and nothing is done.
        let batch = try bench.issue([delivery(.cancel, #"{"leaseId":"a"}"#, user: nil, replyTo: nil)])
        #expect(batch.entries.map(\.address) == ["agora.tokens.dead"])
    }

    @Test func repliesGoToQueuesOfTheirUserWhereThatIsSet() throws {
        let bench = try bench("{ownReplyQueues: true}")
        let until = #","autoRenew":{"until":4000000000,"replyTo":"QUEUE"}}"#
        for (user, queue, isAllowed) in [
            ("ann", "reply.ann.1", true), ("ann", "amq.gen-1", true), ("ann", "reply.ben.1", false),
            ("ann", "reply.ann", false), ("ann", "reply.ann.", false), ("ann", "reply.annex.1", false),
            (nil, "amq.gen-1", true), (nil, "reply.1", false), (nil, "reply..1", false),
        ] as [(String?, String, Bool)] {
            let batch = try bench.issue([delivery(body, user: user, replyTo: queue)])
            #expect(batch.entries.map(\.address) == [isAllowed ? queue : "agora.tokens.dead"], "\(queue)")
            let order = body.dropLast() + until.replacing("QUEUE", with: queue)
            switch try bench.reply(to: delivery(String(order), user: user)) {
            case .issued: #expect(isAllowed, "\(queue)")
            case .error(let error): #expect(!isAllowed && error.field == "autoRenew.replyTo", "\(queue): \(error)")
            default: Issue.record("\(queue)")
            }
        }
    }

    @Test func aRateLimitsEachCaller() throws {
        let bench = try bench("{rules: [{name: 'slow', allow: {rate: {perSecond: 0.5, burst: 3}}}]}")
        let now: Int64 = 1_790_000_000_000
        let first = try bench.token(for: delivery(body), now: now)
        let renewal = delivery(.renew, #"{"token":"\#(first.token)"}"#)
        _ = try bench.token(for: renewal, now: now)
        _ = try bench.reply(to: delivery(#"{"token":"\#(first.token)"}"#, type: "token.explain"), now: now)
        for refused in [delivery(body), renewal, delivery(#"{"token":"\#(first.token)"}"#, type: "token.explain")] {
            let error = try bench.error(for: refused, now: now)
            // The renewal above has replaced the token, which is found out before anything is counted.
            if error.code == .leaseSuperseded { continue }
            #expect(error.code == .rateLimited && error.isRetryable)
            #expect(error.message == #"u-ann asks more often than rule "slow" allows; ask again in 2 s"#)
            #expect(error.retryAfter == 2)
        }
        _ = try bench.token(for: delivery(body, user: "ben"), now: now)
        // To end something is never too often.
        guard
            case .cancelled = try bench.reply(
                to: delivery(.cancel, #"{"leaseId":"\#(first.leaseID ?? "")"}"#), now: now)
        else {
            Issue.record("not cancelled")
            return
        }
        // Half a second before the time a whole one is left to wait, and then there is something.
        #expect(try bench.error(for: delivery(body), now: now + 1500).retryAfter == 1)
        _ = try bench.token(for: delivery(body), now: now + 2000)
        // A batch that is tried again, since the store was away, pays once.
        let again = delivery(body, user: "cid")
        for isRetry in [false, true, true, true, true] { _ = try bench.issue([again], now: now, isRetry: isRetry) }
        _ = try bench.token(for: delivery(body, user: "cid"), now: now)
        _ = try bench.token(for: delivery(body, user: "cid"), now: now)
        #expect(try bench.error(for: delivery(body, user: "cid"), now: now).code == .rateLimited)
    }

    /// A token that has another user's channel and one that nobody can read are under the policy as well.
    @Test func aRefusalIsOneReplyAndNothingElse() throws {
        let bench = try bench("{rules: []}")
        for message in [delivery(body), delivery(.renew, #"{"leaseId":"l-00000000000000000000000000000000"}"#)] {
            let batch = try bench.issue([message])
            #expect(
                batch.entries.count == 1 && batch.entries[0].claim == nil && batch.entries[0].address == "amq.gen-1")
        }
        #expect(try bench.store?.counts().total == 0)
    }
}
