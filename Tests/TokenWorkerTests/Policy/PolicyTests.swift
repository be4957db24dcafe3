// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing
import TokenMessages

@testable import TokenWorker

/// What rules say, as a table: the first that is for a caller and a token decides.
@Suite struct PolicyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        let policy: String
        let caller: Caller
        let body: String
        let use: PolicyUse
        /// The rule that decides.
        let rule: String?
        /// What the refusal says, among other things; nil where it is allowed.
        let refusal: String?

        init(
            _ what: String, _ policy: String, _ caller: Caller, _ body: String, use: PolicyUse = .sign,
            by rule: String?, refused refusal: String? = nil
        ) {
            (testDescription, self.policy, self.caller, self.body) = (what, policy, caller, body)
            (self.use, self.rule, self.refusal) = (use, rule, refusal)
        }
    }

    private static let two = """
        {rules: [
          {name: "publishers", for: {users: ["orders*"], channels: ["orders-*"]}, allow: {maxExpire: 600}},
          {name: "listeners", for: {users: ["orders", "billing"]}, allow: {channels: ["public*"], roles: ["subscriber"]}},
          {name: "nobody", for: {users: ["mallory"]}, deny: true},
          {name: "apps", for: {apps: ["*"], anonymous: true}, allow: {services: ["rtm"]}},
        ]}
        """
    private static let short = #","expire":600"#
    private static func rtc(_ channel: String, _ more: String = "") -> String {
        #"{"channelName":"\#(channel)","uid":1\#(more)}"#
    }

    static let cases: [Case] = [
        Case("the first rule that fits decides", two, .user("orders"), rtc("orders-1", short), by: "publishers"),
        Case(
            "it decides though a later one would allow", two, .user("orders"), rtc("orders-1"), by: "publishers",
            refused: "3600 s of lifetime, but at most 600 s"),
        Case(
            "what it is not for goes to the next", two, .user("orders"), rtc("public", #","role":2"#), by: "listeners"),
        Case(
            "a role", two, .user("billing"), rtc("public"), by: "listeners",
            refused: #"rule "listeners" does not allow the role publisher to u-billing"#),
        Case(
            "a channel", two, .user("billing"), rtc("orders-1", #","role":2"#), by: "listeners",
            refused: #"the channel "orders-1""#),
        Case(
            "a rule that forbids", two, .user("mallory"), rtc("public"), by: "nobody",
            refused: "does not allow anything"),
        Case("nobody's rule", two, .user("eve"), rtc("public"), by: nil, refused: "no rule of the policy is for rtc"),
        Case("users are no applications", two, .app("orders"), rtc("orders-1"), by: "apps", refused: "the service rtc"),
        Case("callers without a name", two, .anonymous, #"{"service":"rtm","userId":"a"}"#, by: "apps"),
        Case("no rules at all", "{rules: []}", .user("orders"), rtc("a"), by: nil, refused: "no rule of the policy"),
        Case("no list of rules", "{}", .anonymous, #"{"channelName":"a","uid":0}"#, by: nil),
        Case(
            "a list that is empty fits nobody", #"{rules: [{name: "a", for: {users: []}, allow: {}}]}"#, .user("a"),
            rtc("a"), by: nil, refused: "no rule"),
        Case(
            "a list that is empty allows nothing", #"{rules: [{name: "a", allow: {services: []}}]}"#, .user("a"),
            rtc("a"), by: "a", refused: "the service rtc"),
        Case(
            "no roles", #"{rules: [{name: "a", allow: {roles: []}}]}"#, .user("a"), rtc("a", #","role":2"#), by: "a",
            refused: "the role subscriber"),
        Case("the longest lifetime itself", two, .user("orders-x"), rtc("orders-1", short), by: "publishers"),
        Case(
            "a second more", two, .user("orders-x"), rtc("orders-1", #","expire":601"#), by: "publishers",
            refused: "601 s"),
        Case(
            "wildcards have to be allowed", #"{rules: [{name: "a", allow: {}}]}"#, .user("a"),
            #"{"channelName":"a","uid":0}"#, by: "a", refused: "any user (uid 0)"),
        Case(
            "and may be", #"{rules: [{name: "a", allow: {wildcardUser: true}}]}"#, .user("a"),
            #"{"channelName":"a","uid":0}"#, by: "a"),
        Case(
            "any channel of rtm2", #"{rules: [{name: "a", allow: {}}]}"#, .user("a"),
            #"{"service":"rtm2","userId":"a","permissions":{"messageChannels":{"read":["*"]}}}"#, by: "a",
            refused: "any channel"),
        Case(
            "any channel that is allowed", #"{rules: [{name: "a", allow: {wildcardChannel: true}}]}"#, .user("a"),
            #"{"service":"rtm2","userId":"a","permissions":{"messageChannels":{"read":["*"]}}}"#, by: "a"),
        Case(
            "each channel of rtm2", #"{rules: [{name: "a", allow: {channels: ["news*"]}}]}"#, .user("a"),
            #"{"service":"rtm2","userId":"a","permissions":{"messageChannels":{"read":["news"],"write":["hr"]}}}"#,
            by: "a", refused: #"the channel "hr""#),
        Case(
            "rooms are channels", #"{rules: [{name: "a", allow: {channels: ["room-*"]}}]}"#, .user("a"),
            #"{"service":"apaas-room-user","roomUuid":"room-1","userUuid":"u","apaasRole":1}"#, by: "a"),
        Case(
            "a limit of channels is none for services without one",
            #"{rules: [{name: "a", allow: {channels: ["*"]}}]}"#, .user("a"), #"{"service":"chat-app"}"#, by: "a",
            refused: "the service chat-app, which has no channel"),
        Case(
            "a rule for channels is not for services without one",
            #"{rules: [{name: "a", for: {channels: ["*"]}, allow: {}}]}"#, .user("a"), #"{"service":"chat-app"}"#,
            by: nil, refused: "no rule of the policy is for chat-app"),
        Case(
            "streaming publishes", #"{rules: [{name: "a", allow: {roles: ["subscriber"]}}]}"#, .user("a"),
            #"{"service":"streaming","channelName":"a","uid":1}"#, by: "a", refused: "the role publisher"),
        Case(
            "roles are of channels", #"{rules: [{name: "a", allow: {roles: ["subscriber"]}}]}"#, .user("a"),
            #"{"service":"rtm","userId":"a"}"#, by: "a"),
        Case(
            "projects", #"{rules: [{name: "a", allow: {appIds: ["0123456789abcdef0123456789abcdef"]}}]}"#, .user("a"),
            rtc("a"), by: "a", refused: "this project"),
        Case(
            "a rule for another project",
            #"{rules: [{name: "a", for: {appIds: ["0123456789abcdef0123456789abcdef"]}, deny: true}, {name: "b", allow: {}}]}"#,
            .user("a"), rtc("a"), by: "b"),
        Case(
            "a cancellation signs nothing", two, .user("orders"), rtc("orders-1"), use: .cancel, by: "publishers"),
        Case("nor does an explanation", two, .user("billing"), rtc("public"), use: .explain, by: "listeners"),
        Case(
            "but both are for a channel", two, .user("billing"), rtc("orders-1"), use: .cancel, by: "listeners",
            refused: #"the channel "orders-1""#),
        Case(
            "a policy for users only", "{requireUser: true}", .app("a"), rtc("a"), by: nil, refused: "user_id"),
        Case("and a user", "{requireUser: true}", .user("a"), rtc("a"), by: nil),
        Case(
            "users only, before any rule", #"{requireUser: true, rules: [{name: "a", allow: {}}]}"#, .anonymous,
            rtc("a"), use: .cancel, by: nil, refused: "user_id"),
        Case(
            "a name that looks like a secret is not repeated", #"{rules: [{name: "a", allow: {channels: ["x"]}}]}"#,
            .user("a"), rtc("5CFd2fd1755d40ecb72977518be15d3b"), by: "a",
            refused: "the channel a text that looks like a token or key"),
    ]

    @Test(arguments: cases) func decides(_ example: Case) throws {
        let policy = try Policy(example.policy)
        let decision = policy.decide(example.caller, try Grant(example.body), for: example.use)
        #expect(decision.rule?.name == example.rule)
        #expect((decision.refusal == nil) == (example.refusal == nil), "\(decision.refusal as Any)")
        if let refusal = decision.refusal, let wanted = example.refusal {
            #expect(refusal.code == .policyDenied && !refusal.isRetryable)
            #expect(refusal.message.contains(wanted), "\(refusal.message)")
            if let rule = example.rule { #expect(refusal.message.contains("rule \"\(rule)\"")) }
        }
    }

    @Test func withoutAPolicyEverythingIsAllowed() throws {
        for body in [Self.rtc("a"), #"{"channelName":"a","uid":0,"expire":86400}"#, #"{"service":"chat-app"}"#] {
            #expect(Policy.everything.decide(.anonymous, try Grant(body)).refusal == nil)
        }
        #expect(!Policy.everything.allowsLeasesOfOthers(.user("root")))
    }

    /// The leases of others: what the caller may look for is not yet what it may touch.
    @Test func leasesOfOthersNeedTheRuleThatDecides() throws {
        let policy = try Policy(
            """
            {rules: [
              {name: "secret", for: {channels: ["secret*"]}, allow: {}},
              {name: "operations", for: {users: ["ops"]}, allow: {leases: "any", wildcardUser: true}},
              {name: "others", allow: {leases: "own"}},
            ]}
            """)
        let (ops, ann) = (Caller.user("ops"), Caller.user("ann"))
        #expect(policy.allowsLeasesOfOthers(ops) && !policy.allowsLeasesOfOthers(ann))
        let (open, secret) = (try Grant(Self.rtc("open")), try Grant(Self.rtc("secret-1")))
        for use in [PolicyUse.sign, .cancel] {
            #expect(policy.decide(ops, open, for: use, owner: ann).refusal == nil)
            #expect(policy.decide(ops, secret, for: use, owner: ann).refusal?.code == .leaseNotFound)
            #expect(policy.decide(ops, secret, for: use, owner: ops).refusal == nil)
            #expect(policy.decide(ann, open, for: use, owner: ops).refusal?.code == .leaseNotFound)
            #expect(policy.decide(ann, open, for: use, owner: ann).refusal == nil)
        }
    }

    /// What a token of another origin says is judged like what a request says.
    @Test func tokensOfOtherOriginsAreJudgedByWhatTheyGrant() throws {
        let anyChannel = TokenScope(service: .rtc, channelName: "", user: .uid(1))
        let grant = Grant(
            appID: Bench.appID, scope: anyChannel, lifetime: 60,
            privileges: PrivilegeTimes([PrivilegeTime(.joinChannel, 60), PrivilegeTime(.publishDataStream, 60)]))
        let policy = try Policy(#"{rules: [{name: "a", allow: {}}]}"#)
        #expect(policy.decide(.anonymous, grant).refusal?.message.contains("any channel") == true)
        let listeners = try Policy(#"{rules: [{name: "a", allow: {roles: ["subscriber"], wildcardChannel: true}}]}"#)
        #expect(listeners.decide(.anonymous, grant).refusal?.message.contains("the role publisher") == true)
    }

    /// Users in one channel by number and by name cannot be told to go together.
    @Test("B03: users of a channel are named in one way")
    func identitiesAreOfOneKind() throws {
        let numbers = try Policy(#"{rules: [{name: "app-a", for: {channels: ["c1"]}, allow: {identity: "uid"}}]}"#)
        let names = try Policy(#"{rules: [{name: "app-a", for: {channels: ["c1"]}, allow: {identity: "account"}}]}"#)
        let (uid, account) = (
            try Grant(#"{"channelName":"c1","uid":7}"#), try Grant(#"{"channelName":"c1","account":"alice"}"#)
        )
        #expect(numbers.decide(.user("a"), uid).refusal == nil && names.decide(.user("a"), account).refusal == nil)
        let refused = try #require(numbers.decide(.user("a"), account).refusal)
        #expect(refused.code == .policyDenied)
        #expect(refused.message == #"rule "app-a" does not allow a user by account, but by uid only, to u-a"#)
        #expect(names.decide(.user("a"), uid).refusal?.message.contains("by account only") == true)
    }
}
