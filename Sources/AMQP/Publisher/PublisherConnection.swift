// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A connection that publishes with confirms on two channels that cannot hurt each other, and never consumes.
///
/// One thread of its own owns the connection: it connects, and connects again for as long as it takes, and reports
/// what became of each publication. All methods may be called from any thread.
///
/// Guarantees:
/// - Every publication gets exactly one outcome. When its channel or connection is lost, the outcome comes at once.
/// - An invalid publication is refused before anything of it is sent.
/// - Nothing is sent while the broker blocks the connection: publications wait, up to the configured number.
/// - Without a connection, publications are lost, at the latest when the present attempt to connect ends; the owner
///   decides whether to publish again.
public final class PublisherConnection: Sendable {
    enum Command: Sendable {
        case publish([Publication])
        case close
    }

    private let configuration: ConnectionConfiguration
    private let onOutcomes: @Sendable ([PublishOutcome]) -> Void
    private let control: ConnectionControl<Command>

    /// Creates a connection; nothing happens before ``start()``.
    ///
    /// - Parameters:
    ///   - configuration: which brokers, and how.
    ///   - onOutcomes: takes outcomes in batches. Called on the connection's thread, or on the caller's of
    ///     ``publish(_:)`` after the end: it may only hand over.
    ///   - onState: takes each change of state. Called on the connection's thread.
    public init(
        configuration: ConnectionConfiguration, onOutcomes: @escaping @Sendable ([PublishOutcome]) -> Void,
        onState: @escaping @Sendable (ConnectionState) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.onOutcomes = onOutcomes
        self.control = ConnectionControl(onState: onState) { commands in
            let outcomes = commands.flatMap(lostToClose)
            if !outcomes.isEmpty { onOutcomes(outcomes) }
        }
    }

    deinit {
        _ = control.mailbox.post(.close)
    }

    /// Starts the connection's thread; further calls do nothing.
    public func start() {
        let configuration = configuration
        let onOutcomes = onOutcomes
        let control = control
        control.start(named: "amqp-publish") {
            ConnectionLoop(configuration, control, role: PublisherRole(configuration, onOutcomes: onOutcomes)).run()
        }
    }

    /// What the connection can do right now.
    public var state: ConnectionState { control.state }

    /// The broker that the connection was last made to; nil before the first.
    public var broker: BrokerIdentity? { control.broker }

    /// Publishes messages, in order per channel.
    ///
    /// - Parameter messages: the publications; their outcomes go to `onOutcomes`.
    public func publish(_ messages: [Publication]) {
        guard !messages.isEmpty else { return }
        if !control.mailbox.post(.publish(messages)) { onOutcomes(lostToClose(.publish(messages))) }
    }

    /// Waits for outstanding confirms, takes leave of the broker, and waits for the thread to end.
    ///
    /// Publications that are still without an outcome then are lost, and reported so before this returns.
    ///
    /// Not to be called from the connection's own callbacks.
    ///
    /// - Parameter limit: the longest time for it; after it the connection is cut.
    /// - Returns: whether the leave was orderly.
    @discardableResult
    public func close(within limit: Duration = .seconds(5)) -> Bool {
        control.close(with: .close, within: limit)
    }
}

/// The outcomes of what can no longer be sent.
private func lostToClose(_ command: PublisherConnection.Command) -> [PublishOutcome] {
    guard case .publish(let messages) = command else { return [] }
    let error = AMQPError(.closed, "the connection is closed")
    return messages.map { PublishOutcome(id: $0.id, result: .lost(error)) }
}
