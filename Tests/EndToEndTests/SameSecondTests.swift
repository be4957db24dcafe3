// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import LeaseStore
import TestSupport
import Testing
import TokenMessages

/// Two workers at one table, and more than either can do at once.
@Suite(.timeLimit(.minutes(5)))
struct SameSecondTests {
    private static let count = 10_000

    /// Makes leases of which all end in one second, and gives that.
    private func fill(_ store: any LeaseStore) throws -> UInt32 {
        let end = UInt32(Date().timeIntervalSince1970) + 45
        let caller = Caller(text: "u-alice")
        var pending = (1...UInt32(Self.count)).map { $0 }
        var round = 0
        while !pending.isEmpty {
            round += 1
            let users = Array(pending.prefix(500))
            let left = end - UInt32(Date().timeIntervalSince1970)
            let results = try store.commit(
                users.map { user in
                    let scope = TokenScope(service: .rtc, channelName: "room", user: .uid(user))
                    let grant = Grant(
                        appID: WorkerProcess.appID, scope: scope, lifetime: left,
                        privileges: PrivilegeTimes(role: .publisher, service: .rtc))
                    let mark = Key.body(Array("\(user)-\(round)".utf8))
                    return .issue(
                        IssueOrder(
                            key: .lease(caller: caller, appID: grant.appID, scope: scope), ownID: nil, caller: caller,
                            grant: grant, leads: [], request: RequestMark(id: mark, body: mark, isCompared: true),
                            salt: user, needsTokenKey: false, certificate: "c"))
                })
            // The second may have changed between the two clocks' readings.
            let done = zip(users, results).filter { _, result in
                if case .granted(let lease) = result { lease.expiresAt == end } else { false }
            }.map(\.0)
            pending.removeAll { Set(done).contains($0) }
        }
        return end
    }

    @Test("B35, B47: 10,000 leases that end in one second are told of once each, by two workers")
    func eachLeaseIsToldOnce() async throws {
        let database = try await PrivatePostgres()
        try await database.migrate()
        try await Scene.with { scene in
            let requester = try await Requester(url: scene.host.url)
            let end = try fill(try PostgreSQLDatabase(url: database.url).open())
            #expect(Date().timeIntervalSince1970 < Double(end), "filled before they end")
            let workers = try (0..<2).map { _ in
                try WorkerProcess(url: scene.host.url, database: database.url, arguments: ["--no-intake"])
            }
            try await eventually(within: .seconds(120), "\(Self.count) notices") {
                try requester.driver.messages(in: requester.notices).count >= Self.count
            }
            // A second copy would come with the next claims.
            try await Task.sleep(for: .seconds(2))
            let messages = try requester.driver.messages(in: requester.notices)
            let ids = Set(messages.compactMap(\.properties.messageID))
            let shares = workers.map { worker in
                worker.log.split(separator: "\n").count { $0.contains("\"event\":\"notice\"") }
            }
            let late = messages.map { $0.arrival - Double(end) }.sorted()
            print(
                "one second: \(messages.count) notices, \(ids.count) ids, \(messages.count - ids.count) duplicates, "
                    + "by the workers: \(shares); the last one \(late.last ?? 0) s late")
            #expect(ids.count == Self.count && messages.count == Self.count)
            #expect(shares.allSatisfy { $0 > 0 } && shares.reduce(0, +) == Self.count)
            #expect((late.first ?? -1) >= 0)
            for worker in workers { #expect(try await worker.stop() == .code(0)) }
        }
        try await database.remove()
    }
}
