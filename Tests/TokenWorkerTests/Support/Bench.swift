// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import AgoraToken
import Foundation
import LeaseStore
import TokenMessages

@testable import TokenWorker

/// An issuer with a project, deliveries to give it, and the replies that it makes, without a broker.
struct Bench {
    static let appID = "970CA35de60c44645bbae8a215061b33"
    static let certificate = "5CFd2fd1755d40ecb72977518be15d3b"

    let names = Names.standard
    let project: Project
    let issuer: Issuer
    let store: (any LeaseStore)?
    /// The policy in force, which a test may replace.
    let policies: PolicyBox

    /// With a store, leases are kept in it.
    init(
        store: (any LeaseStore)? = nil, keepsLeases: Bool? = nil, policy: Policy = .everything, isAudited: Bool = false,
        project: Project? = nil
    ) throws {
        self.store = store
        policies = PolicyBox(policy)
        self.project =
            try project ?? Project(appID: AppID(Self.appID), certificate: AppCertificate(Self.certificate))
        let projects = Projects([self.project], standard: self.project)
        let planner = MessagePlanner(
            projects: projects, policy: policy,
            replyAddress: ReplyAddress(names: names, allowsDirect: false),
            directReplyAddress: ReplyAddress(names: names, allowsDirect: true), defaultLifetime: 3600,
            defaultLeads: [30], hasStore: keepsLeases ?? (store != nil))
        issuer = Issuer(names: names, planner: planner, policies: policies, isAudited: isAudited)
    }

    /// A delivery from the queue of `kind`.
    static func delivery(
        _ kind: MessageKind, _ body: String, number: UInt64 = 1, replyTo: String? = "amq.gen-1",
        isRedelivered: Bool = false, change: (inout MessageProperties) -> Void = { _ in }
    ) -> Delivery {
        var properties = MessageProperties()
        properties.replyTo = replyTo
        properties.correlationID = Array("c\(number)".utf8)
        change(&properties)
        return Delivery(
            tag: tag(number), queue: MessageKind.allCases.firstIndex(of: kind) ?? 0, exchange: "agora.tokens",
            routingKey: kind.routingKey, isRedelivered: isRedelivered, properties: properties,
            body: .bytes(Array(body.utf8)))
    }

    /// A delivery from the request queue.
    static func delivery(
        _ body: String, number: UInt64 = 1, replyTo: String? = "amq.gen-1", isRedelivered: Bool = false,
        change: (inout MessageProperties) -> Void = { _ in }
    ) -> Delivery {
        delivery(
            .request, body, number: number, replyTo: replyTo, isRedelivered: isRedelivered, change: change)
    }

    static func tag(_ number: UInt64) -> DeliveryTag {
        DeliveryTag(connection: 1, channel: 1, epoch: 1, number: number)
    }

    /// Issues one batch.
    func issue(_ deliveries: [Delivery], now: Int64 = 1_790_000_000_000, isRetry: Bool = false) throws -> Issuer.Batch {
        var log = LogBatch(format: .off, milliseconds: now)
        var tally = BatchTally()
        return try issuer.issue(
            deliveries, store: store, Circumstances(now: now, isRetry: isRetry), log: &log, tally: &tally)
    }

    /// What is counted while deliveries are issued.
    func tally(_ deliveries: [Delivery], now: Int64 = 1_790_000_000_000) throws -> BatchTally {
        var log = LogBatch(format: .off, milliseconds: now)
        var tally = BatchTally()
        _ = try issuer.issue(deliveries, store: store, Circumstances(now: now), log: &log, tally: &tally)
        return tally
    }

    /// Issues one delivery and reads its only publication as a reply.
    func reply(to delivery: Delivery, now: Int64 = 1_790_000_000_000) throws -> Reply {
        let batch = try issue([delivery], now: now)
        guard let message = batch.entries.first?.message, batch.entries.count == 1 else {
            throw Missing(what: "a reply")
        }
        return try Reply(type: message.properties.type ?? "", body: message.body)
    }

    /// The token reply to one delivery.
    func token(for delivery: Delivery, now: Int64 = 1_790_000_000_000) throws -> TokenReply {
        switch try reply(to: delivery, now: now) {
        case .issued(let token), .renewed(let token): return token
        case .error(let error): throw error
        default: throw Missing(what: "a token")
        }
    }

    /// The error reply to one delivery.
    func error(for delivery: Delivery, now: Int64 = 1_790_000_000_000) throws -> MessageError {
        guard case .error(let error) = try reply(to: delivery, now: now) else { throw Missing(what: "an error") }
        return error
    }

    struct Missing: Error {
        let what: String
    }
}

/// An SQLite file that goes with its owner.
final class TemporaryDatabase {
    let database: SQLiteDatabase
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        database = try SQLiteDatabase(path: folder.appendingPathComponent("leases.db").path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
