// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AMQP
import TokenClient
import TokenMessages
import TokenWorker

/// Answers HTTP requests for tokens by asking workers over AMQP.
struct GatewayService: HTTPService {
    let client: TokenClient
    var secret: BearerSecret?
    var origins = AllowedOrigins()
    var keepsLeases = false
    let log: Log
    let monitor: GatewayMonitor

    func answer(_ request: HTTPRequest, _ reply: @escaping @Sendable (HTTPAnswer) -> Void) {
        switch GatewayPath(request.path) {
        case .live: page(request, monitor.health().liveAnswer, reply)
        case .ready: page(request, monitor.health().readyAnswer, reply)
        case .token: serve(request, reply)
        case .other: refuse(request, .notFound, reply)
        }
    }

    func answer(_ request: HTTPRequest, to fault: HTTPFault) -> HTTPAnswer {
        finish(request, .failure(GatewayError(fault)), nil)
    }

    var parting: HTTPAnswer { GatewayError.stopping.answer }

    private func page(_ request: HTTPRequest, _ page: HTTPAnswer, _ reply: (HTTPAnswer) -> Void) {
        guard request.method == "GET" || request.method == "HEAD" else {
            return refuse(request, .methodNotAllowed("GET, HEAD"), reply)
        }
        note(request, code: page.status == 200 ? nil : "not_ready")
        reply(page)
    }

    private func serve(_ request: HTTPRequest, _ reply: @escaping @Sendable (HTTPAnswer) -> Void) {
        let isAdmitted = origins.admits(
            origin: request.value("Origin"), host: request.value("Host"), isForThisMachine: secret == nil)
        guard isAdmitted else {
            return refuse(request, .originNotAllowed, reply)
        }
        switch request.method {
        case "POST": break
        case "OPTIONS":
            note(request, code: nil)
            return reply(options(request))
        default: return refuse(request, .methodNotAllowed("POST, OPTIONS"), reply)
        }
        if let secret, !secret.isShown(by: request.values("Authorization")) {
            return refuse(request, .unauthorized, reply)
        }
        let wanted: TokenRequest
        do throws(MessageError) {
            wanted = try GatewayRequest.read(request.body, keepsLeases: keepsLeases)
        } catch {
            return refuse(request, GatewayError(error), reply)
        }
        Task {
            do throws(ClientError) {
                let token = try await client.request(wanted)
                reply(finish(request, .success(token), wanted.scope))
            } catch {
                reply(finish(request, .failure(GatewayError(error)), wanted.scope, cause: error))
            }
        }
    }

    /// What a browser is told that asks beforehand, and whoever else wants to know.
    private func options(_ request: HTTPRequest) -> HTTPAnswer {
        let allowed = origins.fields(for: request.value("Origin"))
        let preflight = allowed.contains { $0.name == "Access-Control-Allow-Origin" } ? AllowedOrigins.preflight : []
        return HTTPAnswer(status: 204, fields: [HTTPField("Allow", "POST, OPTIONS")] + allowed + preflight)
    }

    private func refuse(_ request: HTTPRequest, _ error: GatewayError, _ reply: (HTTPAnswer) -> Void) {
        reply(finish(request, .failure(error), nil))
    }

    private func note(_ request: HTTPRequest, code: String?) {
        monitor.note(.init(path: GatewayPath(request.path), code: code), since: request.arrival)
    }

    /// Makes the answer, counts and logs the request.
    private func finish(
        _ request: HTTPRequest, _ result: Result<TokenReply, GatewayError>, _ scope: TokenScope?,
        cause: ClientError? = nil
    ) -> HTTPAnswer {
        var answer: HTTPAnswer
        switch result {
        case .success(let token):
            answer = HTTPAnswer(status: 200, json: Self.body(token))
            note(request, code: nil)
        case .failure(let error):
            answer = error.answer
            note(request, code: error.code)
        }
        if GatewayPath(request.path) == .token { answer.fields += origins.fields(for: request.value("Origin")) }
        log.note(request, result, scope, cause)
        return answer
    }

    /// `token`, which is all that Agora's sample clients read, and how long it is good for.
    private static func body(_ token: TokenReply) -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        json.member("token", token.token)
        json.member("expiresAt", token.expiresAt)
        json.member("expiresIn", token.expiresIn)
        if let leaseID = token.leaseID { json.member("leaseId", leaseID) }
        if !token.warnings.isEmpty { json.member("warnings", token.warnings) }
        json.endObject()
        return json.bytes
    }
}
