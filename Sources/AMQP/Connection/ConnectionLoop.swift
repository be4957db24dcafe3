// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import Platform

/// The life of a connection on its thread: connect, serve, and connect again, until the end is asked for.
final class ConnectionLoop<Role: ConnectionRole> {
    /// Frames in one turn, so that commands and sends get theirs.
    private static var framesPerTurn: Int { 1024 }
    /// The longest sleep: librabbitmq sends heartbeats only while it is being called.
    private static var longestSleep: Duration { .milliseconds(250) }
    /// With so many messages on their way more will come at once; where there are fewer, each is served as it comes.
    private static var crowd: Int { 64 }
    /// How long a busy connection lets frames and commands gather, so that one turn, one system call and one message
    /// to a neighbour serve many of them.
    private static var gathering: useconds_t { 800 }
    /// A connection that lived for this long was a success, after which pauses are short again.
    private static var settledAfter: Duration { .seconds(1) }

    private let configuration: ConnectionConfiguration
    private let control: ConnectionControl<Role.Command>
    private let role: Role
    private var backOff: BackOff
    private var untried: [AMQPURL] = []
    private var timeOuts = 0

    init(_ configuration: ConnectionConfiguration, _ control: ConnectionControl<Role.Command>, role: Role) {
        self.configuration = configuration
        self.control = control
        self.role = role
        self.backOff = configuration.backOff
    }

    /// Runs until the end is asked for.
    func run() {
        var isOrderly = true
        while !role.isClosing, !control.stallGuard.isAborted {
            control.report(.connecting(attempt: backOff.attempts + 1))
            do throws(AMQPError) {
                try connectAndServe()
            } catch {
                role.lost(error)
                isOrderly = !role.isClosing
                if isOrderly { pause(after: error) }
            }
        }
        role.lost(AMQPError(.closed, "the connection is closed"))
        control.threadEnds(orderly: isOrderly && !control.stallGuard.isAborted)
    }

    private func connectAndServe() throws(AMQPError) {
        if untried.isEmpty { untried = try configuration.currentEndpoints().shuffled() }
        let endpoint = untried.removeLast()
        let session = try BrokerSession.open(endpoint, configuration, stallGuard: control.stallGuard)
        control.connected(to: session.broker)
        session.setCallTimeout(configuration.callTimeout * (1 << min(timeOuts, 2)))
        var readySince: ContinuousClock.Instant?
        do throws(AMQPError) {
            // Each of the calls has its own limit, and what is sent for them fits into the socket's buffer.
            control.stallGuard.rest()
            try role.opened(session)
            timeOuts = 0
            readySince = .now
            try serve(session)
        } catch {
            if error.code == .timedOut { timeOuts += 1 }
            if let readySince, readySince.duration(to: .now) >= Self.settledAfter { backOff.succeeded() }
            throw error.during("\(endpoint)")
        }
    }

    /// Serves until the end was asked for and everything is done.
    private func serve(_ session: BrokerSession) throws(AMQPError) {
        var isReadable = true
        var lastRead: UInt64 = 0
        while true {
            let now = MonotonicClock.nanoseconds()
            session.isMoving()
            let commands = control.mailbox.take()
            if !commands.isEmpty { try role.take(commands, session) }
            var frames = 0
            // Looking for frames where there are none costs two system calls, and heartbeats need it now and then.
            if isReadable || session.mayHideInput || now - lastRead >= Self.longestSleep.nanoseconds {
                lastRead = now
                frames = try takeFrames(session)
            }
            try role.turn(session, now: now)
            control.report(role.state)
            if role.isClosing, role.isFinished { return try session.close() }
            let hadWork = frames > 0 || !commands.isEmpty
            isReadable =
                frames == Self.framesPerTurn || role.hasMore || session.holdsInput
                || hadWork && gathers() || sleep(session)
        }
    }

    /// Takes frames that are there, as many as belong into one turn; returns how many.
    private func takeFrames(_ session: BrokerSession) throws(AMQPError) -> Int {
        var frames = 0
        repeat {
            guard let frame = try session.nextFrame() else { break }
            try role.take(frame, session)
            frames += 1
            if frames % 128 == 0 { session.releaseBuffers() }
        } while frames < Self.framesPerTurn && session.mayHideInput
        session.releaseBuffers()
        return frames
    }

    /// Lets more come together while much is on its way; returns whether it did.
    ///
    /// Nobody has to wake the thread meanwhile, which costs more than the messages themselves do.
    private func gathers() -> Bool {
        guard role.underway >= Self.crowd else { return false }
        usleep(Self.gathering)
        return true
    }

    /// Sleeps until there is a frame or a command, or for a while; returns whether there may be a frame.
    private func sleep(_ session: BrokerSession) -> Bool {
        guard control.mailbox.willSleep() else { return true }
        let wakeUp = control.mailbox.wakeUp
        let (isReadable, isSignalled) = wakeUp.sleep(beside: session.descriptor, atMost: Self.longestSleep)
        control.mailbox.didWake(wasSignalled: isSignalled)
        return isReadable
    }

    /// Waits before the next attempt.
    ///
    /// Other endpoints are tried without a pause.
    private func pause(after error: AMQPError) {
        guard untried.isEmpty else { return }
        let rest = backOff.next(longest: error.isConfiguration)
        control.report(.unreachable(error, retryAfter: rest))
        let end = ContinuousClock.now + rest
        while !role.isClosing, !control.stallGuard.isAborted, .now < end {
            // Without a session nothing is sent, so nothing can fail.
            try? role.take(control.mailbox.take(), nil)
            guard !role.isClosing, control.mailbox.willSleep() else { continue }
            let isSignalled = control.mailbox.wakeUp.sleep(atMost: min(end - .now, .milliseconds(500)))
            control.mailbox.didWake(wasSignalled: isSignalled)
        }
    }
}
