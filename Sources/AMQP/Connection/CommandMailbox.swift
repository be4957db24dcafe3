// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform
import Synchronization

/// Commands from any thread to the one that owns a connection.
///
/// The owner polls it beside its socket, and takes no more once it has ended. It is woken only while it sleeps, so a busy
/// connection costs its callers no system call.
final class CommandMailbox<Command: Sendable>: Sendable {
    private struct Content {
        var commands: [Command] = []
        var ownerSleeps = false
        var isShut = false
    }

    let wakeUp = WakeUp()
    private let content = Mutex(Content())

    /// Adds a command, in order.
    ///
    /// - Returns: whether the owner will see it.
    func post(_ command: Command) -> Bool {
        let (isShut, mustWake) = content.withLock { content in
            if content.isShut { return (true, false) }
            content.commands.append(command)
            let sleeps = content.ownerSleeps
            content.ownerSleeps = false
            return (false, sleeps)
        }
        if mustWake { wakeUp.signal() }
        return !isShut
    }

    /// Takes no further commands.
    ///
    /// - Returns: the commands that nobody has taken.
    func shut() -> [Command] {
        content.withLock { content in
            content.isShut = true
            let left = content.commands
            content.commands = []
            return left
        }
    }

    /// Takes all commands.
    ///
    /// For the owner only.
    func take() -> [Command] {
        content.withLock { content in
            var taken: [Command] = []
            swap(&taken, &content.commands)
            return taken
        }
    }

    /// Notes that the owner is about to poll; false if there are commands to take first.
    func willSleep() -> Bool {
        content.withLock { content in
            content.ownerSleeps = content.commands.isEmpty
            return content.commands.isEmpty
        }
    }

    /// Notes that the owner is awake.
    ///
    /// - Parameter wasSignalled: whether the poll saw a signal.
    func didWake(wasSignalled: Bool) {
        if wasSignalled { wakeUp.clear() }
        content.withLock { $0.ownerSleeps = false }
    }
}
