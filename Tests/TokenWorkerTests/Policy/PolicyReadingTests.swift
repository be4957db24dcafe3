// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import TokenWorker

/// The policy of a configuration file, and the line that names what is wrong with it.
@Suite struct PolicyReadingTests {
    @Test func readsEverySetting() throws {
        let policy = try Policy(
            """
            { // JSON5: comments, names without quotes, commas at the end
              requireUser: true, ownReplyQueues: true,
              rules: [
                {
                  name: 'everything.1',
                  for: {users: ['a*'], apps: ['b'], anonymous: true, appIds: ['\(Bench.appID)'], services: ['rtc+rtm'],
                        channels: ['c']},
                  allow: {appIds: ['\(Bench.appID)'], services: ['rtc'], channels: ['d', 'e*'], roles: ['publisher', 2],
                          identity: 'account', maxExpire: 86400, wildcardUser: true, wildcardChannel: true,
                          leases: 'any', rate: {perSecond: 0.5, burst: 7}},
                },
                {name: 'nothing', deny: true},
              ],
            }
            """)
        #expect(policy.requiresUser && policy.ownReplyQueues)
        let rule = try #require(policy.rules?.first)
        #expect(policy.rules?.map(\.name) == ["everything.1", "nothing"] && policy.rules?[1].allowance == nil)
        #expect(rule.subject.users?.map(\.text) == ["a*"] && rule.subject.apps?.map(\.text) == ["b"])
        #expect(rule.subject.anonymous == true && rule.subject.appIDs == [Bench.appID])
        #expect(rule.subject.services == [.rtcRTM] && rule.subject.channels?.map(\.text) == ["c"])
        let allowance = try #require(rule.allowance)
        #expect(allowance.appIDs == [Bench.appID] && allowance.services == [.rtc])
        #expect(allowance.channels?.map(\.text) == ["d", "e*"] && allowance.roles == [.publisher, .subscriber])
        #expect(allowance.identity == .account && allowance.longestLifetime == 86_400)
        #expect(allowance.wildcardUser && allowance.wildcardChannel && allowance.anyLeases)
        #expect(allowance.rate == Rate(perSecond: 0.5, burst: 7))
        #expect(
            try Policy("{rules: [{name: 'a', allow: {rate: {perSecond: 2.5}}}]}").rules?[0].allowance?.rate?.burst == 3)
    }

    /// Each fault and the place that its line begins with.
    static let faults: [(String, String)] = [
        ("[]", "policy"), ("{rule: []}", "policy.rule"), ("{requireUser: 1}", "policy.requireUser"),
        ("{rules: {}}", "policy.rules"), ("{rules: ['a']}", "policy.rules[0]"), ("{rules: null}", "policy.rules"),
        ("{rules: [{allow: {}}]}", "policy.rules[0].name"),
        ("{rules: [{name: '', allow: {}}]}", "policy.rules[0].name"),
        ("{rules: [{name: 'a b', allow: {}}]}", "policy.rules[0].name"),
        ("{rules: [{name: 'a\\n', allow: {}}]}", "policy.rules[0].name"),
        ("{rules: [{name: 'a', allow: {}}, {name: 'a', allow: {}}]}", "policy.rules[1].name"),
        ("{rules: [{name: 'a'}]}", "policy.rules[0].allow"),
        ("{rules: [{name: 'a', deny: false}]}", "policy.rules[0].allow"),
        ("{rules: [{name: 'a', deny: true, allow: {}}]}", "policy.rules[0].deny"),
        ("{rules: [{name: 'a', allow: {}, when: {}}]}", "policy.rules[0].when"),
        ("{rules: [{name: 'a', for: {user: ['x']}, allow: {}}]}", "policy.rules[0].for.user"),
        ("{rules: [{name: 'a', for: {users: 'x'}, allow: {}}]}", "policy.rules[0].for.users"),
        ("{rules: [{name: 'a', for: {users: [1]}, allow: {}}]}", "policy.rules[0].for.users[0]"),
        ("{rules: [{name: 'a', for: {users: ['']}, allow: {}}]}", "policy.rules[0].for.users[0]"),
        ("{rules: [{name: 'a', for: {services: ['rtc', 'rtx']}, allow: {}}]}", "policy.rules[0].for.services[1]"),
        ("{rules: [{name: 'a', allow: {appIds: ['short']}}]}", "policy.rules[0].allow.appIds[0]"),
        ("{rules: [{name: 'a', allow: {roles: [3]}}]}", "policy.rules[0].allow.roles[0]"),
        ("{rules: [{name: 'a', allow: {maxExpire: 0}}]}", "policy.rules[0].allow.maxExpire"),
        ("{rules: [{name: 'a', allow: {maxExpire: 86401}}]}", "policy.rules[0].allow.maxExpire"),
        ("{rules: [{name: 'a', allow: {maxExpire: '600'}}]}", "policy.rules[0].allow.maxExpire"),
        ("{rules: [{name: 'a', allow: {maxExpire: 0.5}}]}", "policy.rules[0].allow.maxExpire"),
        ("{rules: [{name: 'a', allow: {identity: 'uuid'}}]}", "policy.rules[0].allow.identity"),
        ("{rules: [{name: 'a', allow: {leases: true}}]}", "policy.rules[0].allow.leases"),
        ("{rules: [{name: 'a', allow: {leases: 'all'}}]}", "policy.rules[0].allow.leases"),
        ("{rules: [{name: 'a', allow: {rate: 5}}]}", "policy.rules[0].allow.rate"),
        ("{rules: [{name: 'a', allow: {rate: {}}}]}", "policy.rules[0].allow.rate.perSecond"),
        ("{rules: [{name: 'a', allow: {rate: {perSecond: 0}}}]}", "policy.rules[0].allow.rate.perSecond"),
        ("{rules: [{name: 'a', allow: {rate: {perSecond: 1e9}}}]}", "policy.rules[0].allow.rate.perSecond"),
        ("{rules: [{name: 'a', allow: {rate: {perSecond: 1, burst: 0}}}]}", "policy.rules[0].allow.rate.burst"),
        ("{rules: [{name: 'a', allow: {rate: {perSecond: 1, burst: 9e18}}}]}", "policy.rules[0].allow.rate.burst"),
    ]

    @Test(arguments: faults) func oneLineNamesThePlace(text: String, place: String) {
        #expect {
            try Policy(text)
        } throws: { error in
            (error as? ConfigurationError)?.setting == place && !"\(error)".contains("\n")
        }
    }

    @Test func aSecretInTheWrongPlaceIsNotRepeated() {
        #expect {
            try Policy("{rules: [{name: 'a', allow: {roles: ['\(Bench.certificate)']}}]}")
        } throws: { error in
            !"\(error)".contains(Bench.certificate)
        }
    }

    private func sources(
        _ file: String = "{}", policyFile: String? = nil, environment: [String: String] = [:]
    ) throws -> SettingSources {
        SettingSources(
            flags: policyFile.map { ["policy": $0] } ?? [:],
            environment: environment.merging(
                [
                    "AGORA_APP_ID": Bench.appID, "AGORA_APP_CERTIFICATE": Bench.certificate,
                    "AMQP_URL": "amqp://localhost",
                    "DATABASE_URL": "none",
                ]
            ) { first, _ in first },
            file: try ConfigurationFile(text: Array(file.utf8), name: "agora-token.json5"))
    }

    @Test func thePartOfTheConfigurationOrAFileOfItsOwn() throws {
        #expect(try WorkerConfiguration(sources()).policy == .everything)
        let inline = try WorkerConfiguration(sources("{policy: {rules: []}}")).policy
        #expect(inline.rules?.isEmpty == true)
        let file = try TextFileFixture("{rules: [{name: 'a', allow: {}}]}")
        #expect(try WorkerConfiguration(sources(policyFile: file.path)).policy.rules?.map(\.name) == ["a"])
        let variable = try sources(environment: ["AGORA_TOKEN_POLICY": file.path])
        #expect(try WorkerConfiguration(variable).policy.rules?.map(\.name) == ["a"])
        let named = try sources("{policyFile: '\(file.path)'}")
        #expect(try WorkerConfiguration(named).policy.rules?.map(\.name) == ["a"])
    }

    @Test func filesAreNamed() throws {
        let broken = try TextFileFixture("{rules: [")
        let wrong = try TextFileFixture("{rules: [{name: 'a', allow: {role: 1}}]}")
        let list = try TextFileFixture("[]")
        for (sources, beginning, end) in [
            (try sources(policyFile: "/nowhere/policy.json5"), "--policy: /nowhere/policy.json5", ""),
            (try sources(policyFile: broken.path), "\(broken.path): is not JSON5", ""),
            (try sources(policyFile: wrong.path), "rules[0].allow.role: is not a setting", "(in \(wrong.path))"),
            (try sources(policyFile: list.path), "\(list.path): is a list", ""),
            (try sources("{policy: {}}", policyFile: wrong.path), "--policy: is set beside", ""),
            (try sources("{policy: {rulez: []}}"), "policy.rulez: is not a setting", ""),
        ] {
            #expect {
                try WorkerConfiguration(sources)
            } throws: { error in
                "\(error)".hasPrefix(beginning) && "\(error)".hasSuffix(end)
            }
        }
    }

    /// A mistyped App ID would let a rule that forbids forbid nothing.
    @Test func projectsOfRulesAreConfigured() throws {
        let other = "0123456789abcdef0123456789abcdef"
        _ = try WorkerConfiguration(
            sources("{policy: {rules: [{name: 'a', for: {appIds: ['\(Bench.appID)']}, deny: true}]}}"))
        #expect {
            try WorkerConfiguration(
                sources("{policy: {rules: [{name: 'a', for: {appIds: ['\(other)']}, deny: true}]}}"))
        } throws: { error in
            (error as? ConfigurationError)?.setting == "policy.rules[0].for.appIds[0]"
        }
    }
}
