// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import Testing

@testable import TokenWorker

/// What systemd is told, without systemd.
@Suite struct ServiceStateTests {
    private let start = ContinuousClock.now
    private let ready = Readiness(intake: .ready, publisher: .ready)

    private func state(_ environment: [String: String] = [:]) -> ServiceState {
        ServiceState(environment, processID: 7, start: start)
    }

    private func later(_ seconds: Double) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test func readyOnce() {
        var state = state()
        let idle = Readiness(intake: .idle, publisher: .idle)
        #expect(state.news(idle.health, at: later(1)) == "STATUS=not ready: intake: is not started")
        #expect(state.news(idle.health, at: later(2)) == nil)
        #expect(state.news(ready.health, at: later(3)) == "READY=1\nSTATUS=ready")
        #expect(state.news(ready.health, at: later(4)) == nil)
        let blocked = Readiness(intake: .ready, publisher: .blocked("low on\nmemory"))
        #expect(
            state.news(blocked.health, at: later(5))
                == "STATUS=not ready: publisher: is blocked by the broker: low on memory")
    }

    @Test func theStatusNamesTheCause() {
        var state = state()
        var held = Readiness(intake: .suspended, publisher: .ready)
        #expect(state.news(held.health, at: later(1)) == "STATUS=not ready: intake: is not consuming")
        held.auditFault = .some("no space left")
        #expect(state.news(held.health, at: later(2)) == "STATUS=not ready: audit: no space left")
        held.storeFaults = ["away"]
        #expect(state.news(held.health, at: later(3)) == "STATUS=not ready: store: away")
    }

    @Test func aBrokerThatIsAwayIsNoFailedStart() {
        var state = state()
        let away = Readiness(intake: .connecting(attempt: 3), publisher: .connecting(attempt: 3))
        #expect(state.news(away.health, at: later(19))?.contains("READY") == false)
        #expect(state.news(away.health, at: later(20)) == "READY=1")
    }

    @Test func theWatchdogHearsOnlyWhileEveryThreadMoves() {
        var state = state(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"])
        #expect(state.watchdog == .seconds(10))
        #expect(state.news(ready.health, at: later(0)) == "READY=1\nSTATUS=ready\nWATCHDOG=1")
        #expect(state.news(ready.health, at: later(9)) == nil)
        #expect(state.news(ready.health, at: later(10)) == "WATCHDOG=1")
        var stuck = ready
        stuck.silences = [.init(thread: "issuer", duration: .seconds(61))]
        #expect(state.news(stuck.health, at: later(20)) == "STATUS=not ready: issuer: has not moved for 61 s")
        #expect(state.news(stuck.health, at: later(60)) == nil)
        // The store being away is no reason to kill anybody.
        stuck.silences = []
        stuck.storeFaults = ["away"]
        #expect(state.news(stuck.health, at: later(61)) == "STATUS=not ready: store: away\nWATCHDOG=1")
    }

    @Test(
        arguments: [
            [:], ["WATCHDOG_USEC": "0"], ["WATCHDOG_USEC": "-5"], ["WATCHDOG_USEC": "x"],
            ["WATCHDOG_USEC": "99999999999999999999"], ["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"],
        ] as [[String: String]])
    func noWatchdog(_ environment: [String: String]) { #expect(state(environment).watchdog == nil) }

    @Test func theEnd() {
        var state = state(["WATCHDOG_USEC": "3000000"])
        #expect(state.stopping() == "STOPPING=1\nSTATUS=stopping")
        var stopping = ready
        stopping.isStopping = true
        #expect(state.news(stopping.health, at: later(25)) == "WATCHDOG=1")
    }

    @Test func aLongStatusIsCut() {
        var state = state()
        let blocked = Readiness(intake: .blocked(String(repeating: "ä", count: 5000)), publisher: .ready)
        let news = state.news(blocked.health, at: start) ?? ""
        #expect(news.count == "STATUS=".count + ServiceState.longestStatus && news.hasSuffix("…"))
    }

    @Test func reloading() {
        #expect(state().reloading(monotonicMicroseconds: 12) == "RELOADING=1\nMONOTONIC_USEC=12")
        #expect(state().reloaded() == "READY=1")
    }
}
