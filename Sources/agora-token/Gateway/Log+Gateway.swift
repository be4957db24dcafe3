// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenClient
import TokenMessages
import TokenWorker

extension Log {
    /// Writes the line of one HTTP request: who asked for what, and what came of it; never the token or the secret.
    ///
    /// Of a path only whether it is known, since people put tokens into paths.
    func note(
        _ request: HTTPRequest, _ result: Result<TokenReply, GatewayError>, _ scope: TokenScope?, _ cause: ClientError?
    ) {
        var (status, level): (UInt32, LogBatch.Level) = (200, .info)
        if case .failure(let error) = result {
            status = error.status
            level = status >= 500 ? .error : .warning
        }
        line(level, "http_request") { fields in
            fields.add("peer", request.peer)
            fields.add("method", Self.methods.contains(request.method) ? request.method : "other")
            fields.add("path", GatewayPath(request.path).name)
            fields.add("status", status)
            if case .failure(let error) = result {
                fields.add("code", error.code)
                fields.add("field", error.field)
            }
            fields.add("channelName", scope?.channelName)
            switch scope?.user {
            case .uid(let number): fields.add("uid", number)
            case .account(let name): fields.add("account", name)
            case .userID, .userUUID, .project, nil: break
            }
            if case .success(let token) = result {
                fields.add("leaseId", token.leaseID)
                fields.add("expiresAt", token.expiresAt)
            }
            if let cause, !cause.isRefusal { fields.add("reason", "\(cause)") }
            let time = ContinuousClock.now - request.arrival
            fields.add("milliseconds", time / .milliseconds(1) < 1e12 ? Int(time / .milliseconds(1)) : 0)
        }
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]
}

extension ClientError {
    /// Whether a worker has refused, so that the code says it all.
    fileprivate var isRefusal: Bool { if case .refused = self { true } else { false } }
}
