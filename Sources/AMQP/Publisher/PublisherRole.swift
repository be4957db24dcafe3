// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform

/// Publishes on two channels, and says what became of each publication.
final class PublisherRole: ConnectionRole {
    /// Publications in one turn, so that confirms are read in between.
    private static let publicationsPerTurn = 512
    /// Bytes after which the turn ends as well.
    private static let bytesPerTurn = 1 << 20

    private let configuration: ConnectionConfiguration
    private let onOutcomes: @Sendable ([PublishOutcome]) -> Void
    private var channels = Publication.Channel.allCases.map { PublisherChannel(number: UInt16($0.rawValue + 1)) }
    private var waiting = WaitingLine<Publication>()
    private var outcomes: [PublishOutcome] = []
    private var blockedBy: String?
    private(set) var isClosing = false

    init(_ configuration: ConnectionConfiguration, onOutcomes: @escaping @Sendable ([PublishOutcome]) -> Void) {
        self.configuration = configuration
        self.onOutcomes = onOutcomes
    }

    var state: ConnectionState {
        if let blockedBy { return .blocked(blockedBy) }
        let problems = channels.compactMap(\.problem)
        return problems.isEmpty ? .ready : .incomplete(problems)
    }

    var isFinished: Bool { waiting.isEmpty && channels.allSatisfy { $0.tracker.outstanding == 0 } }
    var underway: Int { channels.reduce(0) { $0 + $1.tracker.outstanding } }
    var hasMore: Bool { !waiting.isEmpty && blockedBy == nil }

    func opened(_ session: BrokerSession) throws(AMQPError) {
        blockedBy = nil
        for index in channels.indices { try open(index, session, now: MonotonicClock.nanoseconds()) }
    }

    private func open(_ index: Int, _ session: BrokerSession, now: UInt64) throws(AMQPError) {
        do throws(AMQPError) {
            try session.openChannel(channels[index].number)
            try session.selectConfirms(channels[index].number)
            channels[index].opened()
        } catch {
            guard error.isOfChannelOnly else { throw error }
            channels[index].closed(error, now: now, into: &outcomes)
        }
    }

    func take(_ commands: [PublisherConnection.Command], _ session: BrokerSession?) throws(AMQPError) {
        for command in commands {
            switch command {
            case .publish(let messages): admit(messages, isConnected: session != nil)
            case .close: isClosing = true
            }
        }
        if session == nil { report() }
    }

    private func admit(_ messages: [Publication], isConnected: Bool) {
        guard isConnected else {
            let error = channels[0].problem ?? AMQPError(.disconnected, "there is no connection")
            outcomes += messages.map { PublishOutcome(id: $0.id, result: .lost(error)) }
            return
        }
        let room = max(0, configuration.maximumWaitingPublications - waiting.count)
        waiting.append(messages.prefix(room))
        guard messages.count > room else { return }
        let error = AMQPError(
            .overloaded, "more than \(configuration.maximumWaitingPublications) publications are waiting")
        outcomes += messages.dropFirst(room).map { PublishOutcome(id: $0.id, result: .lost(error)) }
    }

    func take(_ frame: IncomingFrame, _ session: BrokerSession) throws(AMQPError) {
        switch frame {
        case .confirm(let channel, let confirm):
            let index = try index(of: channel)
            channels[index].tracker.confirmed(confirm, into: &outcomes)
            channels[index].worked()
        case .content(let channel, let content):
            let index = try index(of: channel)
            guard let message = try channels[index].assembler.add(content) else { return }
            guard case .returned(let method, let properties) = message else {
                throw AMQPError(.protocolViolation, "the broker delivered a message that was never asked for")
            }
            channels[index].tracker.returned(method, properties)
        case .channelClosed(let channel, let error):
            let index = try index(of: channel)
            channels[index].closed(error, now: MonotonicClock.nanoseconds(), into: &outcomes)
        case .blocked(let reason):
            blockedBy = reason
        case .unblocked:
            blockedBy = nil
        case .consumerCancelled, .other:
            break
        }
    }

    private func index(of channel: UInt16) throws(AMQPError) -> Int {
        let index = Int(channel) - 1
        guard channels.indices.contains(index) else {
            throw AMQPError(.protocolViolation, "the broker sent a frame on channel \(channel), which is not open")
        }
        return index
    }

    func turn(_ session: BrokerSession, now: UInt64) throws(AMQPError) {
        for index in channels.indices where channels[index].problem != nil && channels[index].retryAt <= now {
            try open(index, session, now: now)
        }
        if hasMore { try send(session, now: now) }
        expire(now: now)
        report()
    }

    private func send(_ session: BrokerSession, now: UInt64) throws(AMQPError) {
        session.beginBatch()
        var bytes = 0
        for _ in 0..<Self.publicationsPerTurn where bytes < Self.bytesPerTurn {
            guard let publication = waiting.popFirst() else { break }
            bytes += publication.body.count
            let index = publication.channel.rawValue
            if let error = channels[index].problem {
                outcomes.append(PublishOutcome(id: publication.id, result: .lost(error)))
            } else if let reason = PublicationCheck.problem(of: publication, frameMax: session.frameMax) {
                outcomes.append(PublishOutcome(id: publication.id, result: .invalid(reason)))
            } else {
                // Noted first: if sending fails half-way, the publication is among the lost.
                channels[index].tracker.published(id: publication.id, key: publication.returnKey, now: now)
                try session.publish(publication, channel: channels[index].number)
            }
        }
        try session.endBatch()
    }

    private func expire(now: UInt64) {
        let limit = configuration.confirmTimeout.nanoseconds
        guard now > limit else { return }
        for index in channels.indices where channels[index].tracker.outstanding > 0 {
            channels[index].tracker.expire(
                publishedBefore: now - limit,
                AMQPError(.timedOut, "no confirm within \(configuration.confirmTimeout)"), into: &outcomes)
        }
    }

    /// Everything on its way is lost; what waited unsent is, too, as the owner decides whether it is still wanted.
    func lost(_ error: AMQPError) {
        for index in channels.indices { channels[index].lostConnection(error, into: &outcomes) }
        while let publication = waiting.popFirst() {
            outcomes.append(PublishOutcome(id: publication.id, result: .lost(error)))
        }
        blockedBy = nil
        report()
    }

    private func report() {
        guard !outcomes.isEmpty else { return }
        let batch = outcomes
        outcomes = []
        onOutcomes(batch)
    }
}

extension Publication {
    /// What the publication's return would be recognised by.
    fileprivate var returnKey: ConfirmTracker.ReturnKey? {
        guard isMandatory else { return nil }
        return ConfirmTracker.ReturnKey(
            exchange: exchange, routingKey: routingKey, messageID: properties.messageIDBytes,
            correlationID: properties.correlationID)
    }
}
