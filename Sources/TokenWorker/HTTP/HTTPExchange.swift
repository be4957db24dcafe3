// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CMicroHTTPD
import Synchronization

/// One request and its answer.
///
/// The library calls on its thread: once with the head, once with each part of the body, and then for the answer.
/// Where the service takes its time, the connection is suspended meanwhile.
@safe final class HTTPExchange: Sendable {
    private enum Phase {
        /// The request is still coming.
        case reading
        /// The service has been asked, and may answer at once.
        case asked
        /// The connection is suspended.
        case suspended
        /// There is an answer, which was not sent yet.
        case answered(HTTPAnswer)
        /// Nothing is left to do.
        case sent
    }

    private struct State {
        var phase = Phase.reading
        var request: HTTPRequest
        var fault: HTTPFault?
        var dropped = 0
    }

    /// A body that is too large is passed over up to this multiple of the limit, for its sender to read the answer.
    private static let patience = 64

    private let traffic: HTTPTraffic
    nonisolated(unsafe) private let connection: OpaquePointer
    private let state: Mutex<State>

    init(_ request: HTTPRequest, on connection: OpaquePointer, _ traffic: HTTPTraffic) {
        self.traffic = traffic
        unsafe self.connection = connection
        state = Mutex(State(request: request, fault: request.fault(bodyLimit: traffic.limits.bodySize)))
    }

    /// Takes the head; answers already if the body is not worth waiting for.
    func begins() -> MHD_Result {
        traffic.begins(self)
        let (request, fault) = state.withLock { ($0.request, $0.fault) }
        guard case .bodyTooLarge = fault, let fault else { return .YES }
        state.withLock { $0.phase = .sent }
        return send(traffic.service.answer(request, to: fault))
    }

    /// Takes a part of the body.
    func takes(_ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        state.withLock { state in
            let limit = traffic.limits.bodySize
            if state.fault == nil, state.request.body.count + bytes.count > limit {
                state.fault = .bodyTooLarge(limit: limit)
                state.request.body = []
            }
            if state.fault == nil {
                unsafe state.request.body += bytes
            } else {
                state.dropped += bytes.count
            }
            return state.dropped > Self.patience * limit ? .NO : .YES
        }
    }

    /// Goes on when the request is whole, and again when it was suspended and has its answer.
    func goesOn() -> MHD_Result {
        let asks = state.withLock { state in
            guard case .reading = state.phase else { return false }
            state.phase = .asked
            return true
        }
        if asks { ask() }
        let answer: HTTPAnswer? = state.withLock { state in
            switch state.phase {
            case .answered(let answer):
                state.phase = .sent
                return answer
            case .asked:
                // Under the lock, so that no answer resumes what is not suspended yet.
                state.phase = .suspended
                unsafe MHD_suspend_connection(connection)
                return nil
            case .reading, .suspended, .sent: return nil
            }
        }
        guard let answer else { return .YES }
        return send(answer)
    }

    /// Takes the service's answer; a second one is dropped.
    func answer(_ answer: HTTPAnswer) {
        state.withLock { state in
            switch state.phase {
            case .asked: state.phase = .answered(answer)
            case .suspended:
                state.phase = .answered(answer)
                unsafe MHD_resume_connection(connection)
            case .reading, .answered, .sent: break
            }
        }
    }

    /// Is done: the answer was sent, or the connection lost.
    func ended() { unsafe traffic.ended(self, connection) }

    private func ask() {
        unsafe traffic.isWhole(connection)
        let (request, fault) = state.withLock { ($0.request, $0.fault) }
        if let fault {
            answer(traffic.service.answer(request, to: fault))
        } else {
            traffic.service.answer(request) { self.answer($0) }
        }
    }

    /// Sends an answer; the library leaves the body out where it was asked for the head alone.
    private func send(_ answer: HTTPAnswer) -> MHD_Result {
        var body = answer.body
        let response = unsafe body.withUnsafeMutableBytes { bytes in
            unsafe MHD_create_response_from_buffer(bytes.count, bytes.baseAddress, .RESPMEM_MUST_COPY)
        }
        guard let response = unsafe response else { return .NO }
        defer { unsafe MHD_destroy_response(response) }
        var fields = answer.fields
        if let type = answer.contentType { fields.append(HTTPField("Content-Type", type)) }
        fields.append(HTTPField("Cache-Control", "no-store"))
        if traffic.isStopping { fields.append(HTTPField("Connection", "close")) }
        for field in fields { unsafe MHD_add_response_header(response, field.name, field.value) }
        return unsafe MHD_queue_response(connection, answer.status, response)
    }
}
