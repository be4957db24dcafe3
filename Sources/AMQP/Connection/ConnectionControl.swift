// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform
import Synchronization

/// What a connection's thread shares with everybody else.
final class ConnectionControl<Command: Sendable>: Sendable {
    let mailbox = CommandMailbox<Command>()
    let stallGuard = StallGuard()

    private enum Life {
        case created, running, ended
    }

    private let onState: @Sendable (ConnectionState) -> Void
    private let onLeftover: @Sendable ([Command]) -> Void
    private let current = Mutex(ConnectionState.idle)
    private let life = Mutex(Life.created)
    private let ended = WakeUp()
    private let brokerIdentity = Mutex<BrokerIdentity?>(nil)
    private let wasOrderly = Atomic<Bool>(false)

    /// Shares nothing yet.
    ///
    /// - Parameters:
    ///   - onState: takes each new state.
    ///   - onLeftover: takes the commands that nobody will follow any more.
    init(
        onState: @escaping @Sendable (ConnectionState) -> Void,
        onLeftover: @escaping @Sendable ([Command]) -> Void
    ) {
        self.onState = onState
        self.onLeftover = onLeftover
    }

    /// The latest state.
    var state: ConnectionState { current.withLock { $0 } }

    /// The broker that the last connection was made to.
    var broker: BrokerIdentity? { brokerIdentity.withLock { $0 } }

    /// Notes which broker there is a connection to.
    ///
    /// For the connection's thread.
    func connected(to broker: BrokerIdentity) {
        brokerIdentity.withLock { $0 = broker }
    }

    /// Publishes a state if it is a new one.
    ///
    /// For the connection's thread.
    func report(_ state: ConnectionState) {
        let isNew = current.withLock { current in
            let isNew = current != state
            current = state
            return isNew
        }
        if isNew { onState(state) }
    }

    /// Starts the thread, once.
    func start(named name: String, _ run: @escaping @Sendable () -> Void) {
        let isFirst = life.withLock { life in
            guard life == .created else { return false }
            life = .running
            return true
        }
        guard isFirst else { return }
        Watchdog.watch(stallGuard)
        PlainThread(named: name, run)
    }

    /// Notes how the thread ended.
    ///
    /// Its last act.
    func threadEnds(orderly: Bool) {
        onLeftover(mailbox.shut())
        wasOrderly.store(orderly, ordering: .releasing)
        stallGuard.finish()
        report(.closed)
        ended.signal()
    }

    /// Asks the thread to end and waits for it; past the limit cuts the connection.
    func close(with command: Command, within limit: Duration) -> Bool {
        let wasCreatedOnly = life.withLock { life in
            let wasCreatedOnly = life == .created
            life = .ended
            return wasCreatedOnly
        }
        if wasCreatedOnly {
            threadEnds(orderly: true)
            return true
        }
        _ = mailbox.post(command)
        if ended.wait(atMost: limit) { return wasOrderly.load(ordering: .acquiring) }
        stallGuard.abort()
        _ = ended.wait(atMost: .seconds(1))
        return false
    }
}
