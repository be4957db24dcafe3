// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

@testable import TokenClient

/// A plan under a clock of its own, and a worker that answers it.
final class PlanBench {
    let start = ContinuousClock.now
    var plan: KeepPlan
    var generation: Int64 = 100
    /// The seconds that the worker's clock differs from ours, which must not matter.
    var skew: Int64 = 5_000_000

    init(_ channels: [String], expire: UInt32 = 60) {
        let requests = channels.map { channel in
            var request = TokenRequest(channelName: channel, user: .uid(1))
            request.expire = expire
            return request
        }
        plan = KeepPlan(requests, name: "k", at: start)
    }

    func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    /// The order that there is at a time, if any.
    func next(at seconds: Double) -> KeepPlan.Order? { plan.next(at: at(seconds)) }

    /// The order that there has to be at a time.
    func order(at seconds: Double) throws -> KeepPlan.Order {
        guard let order = next(at: seconds) else { throw Missing(seconds: seconds) }
        return order
    }

    /// There is no order where there should be one.
    struct Missing: Error {
        let seconds: Double
    }

    /// When the plan wants to be asked again, in seconds, rounded up to a millisecond.
    var wakeUp: Double? { plan.wakeUp.map { (($0 - start) / .milliseconds(1) + 0.5).rounded(.up) / 1000 } }

    func heard(_ kind: NoticeKind, _ channel: String, generation: Int64, at seconds: Double) -> [KeptTokenUpdate] {
        plan.heard(notice(kind, channel, generation: generation), at: at(seconds)).map(\.update)
    }

    func failed(_ order: KeepPlan.Order, _ error: ClientError, at seconds: Double) -> [KeptTokenUpdate] {
        plan.failed(order, error, at: at(seconds), share: 1).map(\.update)
    }

    func answered(
        _ order: KeepPlan.Order, _ results: [Result<TokenReply, MessageError>], at seconds: Double, share: Double = 1
    ) -> (updates: [KeptTokenUpdate], unwanted: [String]) {
        let (updates, unwanted) = plan.answered(order, results, at: at(seconds), share: share)
        return (updates.map(\.update), unwanted)
    }

    func end(_ position: Int) -> (update: KeptTokenUpdate?, leaseID: String?) { plan.end(position) }

    /// Whether there is a token to rely on.
    func holds(_ position: Int, at seconds: Double) -> Bool { plan.token(position, at: at(seconds)) != nil }

    /// A token as a worker gives it that got the message at a time.
    func token(
        _ channel: String, at seconds: Double, lifetime: UInt32 = 60, lead: UInt32 = 30, lease: Bool = true
    ) -> TokenReply {
        generation += 1
        let issued = UInt32(clamping: 1_000_000_000 + skew + Int64(seconds))
        let scope = TokenScope(service: .rtc, channelName: channel, user: .uid(1))
        var reply = Self.empty(scope)
        reply.token = "007-\(generation)"
        reply.leaseID = lease ? "l-\(channel)" : nil
        reply.generation = lease ? generation : nil
        (reply.issuedAt, reply.expiresAt, reply.renewAfter) = (issued, issued + lifetime, issued + lifetime - lead)
        return reply
    }

    private static func empty(_ scope: TokenScope) -> TokenReply {
        let json =
            #"{"token":"","appId":"x","service":"rtc","channelName":"\#(scope.channelName ?? "")","uid":1,"#
            + #""issuedAt":0,"expiresAt":0,"expiresIn":0,"renewAfter":0,"notifyBefore":[],"privileges":{},"#
            + #""scheduled":false,"warnings":[]}"#
        guard let reply = try? TokenReply(Array(json.utf8)) else { preconditionFailure("the sample is no reply") }
        return reply
    }

    /// Takes the order that there is to be at a time, and has the worker answer it.
    func serve(
        at seconds: Double, lifetime: UInt32 = 60, lead: UInt32 = 30, lease: Bool = true
    ) throws -> KeepPlan.Order {
        let order = try order(at: seconds)
        let channels = order.positions.map { plan.holdings[$0].request.scope.channelName ?? "" }
        var results: [Result<TokenReply, MessageError>] = []
        for channel in channels {
            results.append(.success(token(channel, at: seconds, lifetime: lifetime, lead: lead, lease: lease)))
        }
        _ = plan.answered(order, results, at: at(seconds), share: 0)
        return order
    }

    /// A notice of the lease of a channel.
    func notice(_ kind: NoticeKind, _ channel: String, generation: Int64) -> Notice {
        Notice(
            kind: kind, leaseID: "l-\(channel)", generation: generation, caller: .anonymous, appID: "x",
            scope: TokenScope(service: .rtc, channelName: channel, user: .uid(1)), expiresAt: 0, privileges: [],
            plannedAt: 0, timeMilliseconds: 0)
    }
}
