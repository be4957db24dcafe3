// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import Synchronization
internal import TokenMessages

/// Resumes waiting calls as their connections and replies come and go.
final class CallCenter: Sendable {
    typealias Waiter = CheckedContinuation<Result<Reply?, ClientError>, Never>

    private let calls = Mutex(Calls<Waiter>())
    private let counter = Atomic<UInt64>(1)
    private let failsFast: Bool

    init(failsFast: Bool) { self.failsFast = failsFast }

    /// Takes up a new call, which has to be finished.
    func begin() -> UInt64 {
        let number = counter.wrappingAdd(1, ordering: .relaxed).oldValue
        calls.withLock { $0.begin(number) }
        return number
    }

    /// Forgets a call.
    func finish(_ call: UInt64) { calls.withLock { $0.finish(call) } }

    /// How many calls there are.
    var count: Int { calls.withLock { $0.count } }

    /// Where replies come to, while everything is connected.
    var address: String? { calls.withLock { $0.address } }

    /// Waits until everything is connected.
    func ready(_ call: UInt64) async -> Result<Reply?, ClientError> {
        await withCheckedContinuation { waiter in
            resume(calls.withLock { $0.await(call, waiter) }.map { [$0] } ?? [])
        }
    }

    /// Sends a message by `publish` and waits for its reply.
    func reply(to call: UInt64, publish: () -> Void) async -> Result<Reply?, ClientError> {
        await withCheckedContinuation { waiter in
            if let ending = calls.withLock({ $0.expect(call, waiter) }) {
                resume([ending])
            } else {
                publish()
            }
        }
    }

    /// Ends a call.
    func end(_ call: UInt64, _ result: Result<Reply?, ClientError>) {
        resume(calls.withLock { $0.end(call, result) }.map { [$0] } ?? [])
    }

    /// Takes a state of the consuming connection, whose first queue is the replies'.
    func consumerIs(_ state: ConnectionState, queue: String?) {
        resume(calls.withLock { $0.consumes(state.isReady ? queue : nil) })
        noteTrouble(state)
    }

    /// Takes a state of the publishing connection.
    func publisherIs(_ state: ConnectionState) {
        resume(calls.withLock { $0.publishes(state.isReady) })
        noteTrouble(state)
    }

    /// Ends every call, those that come later too.
    func close() { resume(calls.withLock { $0.close() }) }

    /// Takes what the broker said of sent messages; a confirmed one waits on for its reply.
    func settle(_ outcomes: [PublishOutcome]) {
        for outcome in outcomes {
            switch outcome.result {
            case .confirmed: break
            case .returned:
                end(
                    outcome.id,
                    .failure(.unavailable("the request queue is not there; agora-token topology apply makes it")))
            case .nacked: end(outcome.id, .failure(.unavailable("the broker refused the message")))
            case .invalid(let reason): end(outcome.id, .failure(.unavailable("the message cannot be sent: \(reason)")))
            case .lost(let error): end(outcome.id, .failure(.unavailable("\(error)")))
            }
        }
    }

    private func noteTrouble(_ state: ConnectionState) {
        guard failsFast else { return }
        switch state {
        case .unreachable(let error, retryAfter: _): resume(calls.withLock { $0.unreachable("\(error)") })
        case .incomplete(let errors):
            let reasons = errors.map(\.description).joined(separator: "; ")
            resume(calls.withLock { $0.unreachable(reasons) })
        default: break
        }
    }

    private func resume(_ endings: [Calls<Waiter>.Ending]) {
        for ending in endings { ending.waiter.resume(returning: ending.result) }
    }
}
