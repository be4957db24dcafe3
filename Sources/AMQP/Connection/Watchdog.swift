// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import Platform
import Synchronization

/// Ends socket calls that hang for longer than they may.
///
/// librabbitmq 0.11 sends without a time limit: a broker that stops reading would hold its thread for ever. One
/// thread for the whole process looks at every guard four times a second and shuts overdue sockets down, at which
/// the hanging call returns with an error.
enum Watchdog {
    private static let guards = Mutex<[StallGuard]?>(nil)

    /// Watches a guard until it is finished.
    static func watch(_ stallGuard: StallGuard) {
        let isFirst = guards.withLock { guards in
            let isFirst = guards == nil
            guards = (guards ?? []) + [stallGuard]
            return isFirst
        }
        if isFirst { PlainThread(named: "amqp-watchdog", run) }
    }

    /// Looks around until nothing is left to watch.
    private static func run() {
        while true {
            usleep(250_000)
            let now = MonotonicClock.nanoseconds()
            let watched = guards.withLock { guards -> [StallGuard]? in
                guards = guards?.filter { !$0.isFinished }
                if guards?.isEmpty == true { guards = nil }
                return guards
            }
            guard let watched else { return }
            for stallGuard in watched { stallGuard.check(now: now) }
        }
    }
}
