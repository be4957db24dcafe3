// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport

/// The client's side of the kill test: what it asks for, and what it gets.
struct KillLoad {
    private let scenario: KillScenario
    private var accounts = KillAccounts()
    private var requested = 0
    private var sent = 0
    private var cancelled: Set<String> = []

    init(_ scenario: KillScenario) { self.scenario = scenario }

    /// The longest time between two messages from the worker while there was load, in seconds.
    private(set) var longestPause = 0.0

    /// Asks for leases evenly over the time, renews most of them when they are about to expire and some at any time,
    /// and cancels a few.
    mutating func run(_ client: SturdyClient) async throws {
        let start = ContinuousClock.now
        while true {
            let passed = (ContinuousClock.now - start) / .seconds(1)
            guard passed < scenario.seconds else {
                longestPause = accounts.longestPause
                return
            }
            let due = Int(Double(scenario.leases) * min(1, passed * 1.25 / scenario.seconds))
            while requested < due { request(client) }
            for notice in try await take(client) where notice.kind == "will_expire" && Double.random(in: 0..<1) < 0.6 {
                renew(notice.data.leaseId, client)
            }
            let share = Double.random(in: 0..<1)
            if let lease = accounts.newest.keys.randomElement() {
                if share < 0.4 { renew(lease, client) }
                if share > 0.96 { cancel(lease, client) }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Waits until everything is answered and every lease is over, or should long have been.
    mutating func drain(_ client: SturdyClient) async throws -> KillAccounts {
        var deadline = ContinuousClock.now + .seconds(120)
        var isAnswered = false
        while ContinuousClock.now < deadline {
            _ = try await take(client)
            if !isAnswered, client.outstanding == 0, client.confirmed.isSubset(of: accounts.answered.keys) {
                isAnswered = true
                let left = Double(accounts.lastEnd) - Date().timeIntervalSince1970
                deadline = .now + .seconds(max(0, left) + 30)
            }
            if isAnswered, accounts.isSettled { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        // What comes twice may come a little later.
        try await Task.sleep(for: .seconds(1))
        _ = try await take(client)
        return accounts
    }

    private mutating func take(_ client: SturdyClient) async throws -> [Contract.Notice] {
        var notices: [Contract.Notice] = []
        for message in try await client.receive() {
            if let notice = try accounts.take(message) { notices.append(notice) }
        }
        return notices
    }

    private mutating func request(_ client: SturdyClient) {
        requested += 1
        let expire = Int.random(in: scenario.lifetimes)
        // Half of the leases have names of their own.
        let name = requested.isMultiple(of: 2) ? #","leaseId":"kill-\#(requested)""# : ""
        client.send(
            "request-\(requested)",
            #"{"channelName":"kill","uid":\#(requested),"expire":\#(expire),"notify":{"before":[5,2]}\#(name)}"#,
            .request)
    }

    private mutating func renew(_ lease: String, _ client: SturdyClient) {
        guard !cancelled.contains(lease), let reply = accounts.newest[lease] else { return }
        sent += 1
        let body = lease.hasPrefix("l-") ? #"{"token":"\#(reply.token)"}"# : #"{"leaseId":"\#(lease)"}"#
        client.send("renewal-\(sent)", body, .renew)
    }

    private mutating func cancel(_ lease: String, _ client: SturdyClient) {
        cancelled.insert(lease)
        sent += 1
        client.send("cancellation-\(sent)", #"{"leaseId":"\#(lease)"}"#, .cancel)
    }
}
