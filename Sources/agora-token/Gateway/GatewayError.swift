// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenClient
import TokenMessages
import TokenWorker

/// Why an HTTP request gets no token: what the body of the answer says beside the HTTP status.
///
/// A worker's refusal keeps its code; the other codes are the gateway's own.
struct GatewayError: Error, Hashable {
    let status: UInt32
    let code: String
    let message: String
    var field: String?
    /// Seconds after which the same request may succeed.
    var retryAfter: Int?
    /// Further fields of the answer's head.
    var fields: [HTTPField] = []

    /// The answer.
    var answer: HTTPAnswer {
        var json = JSONWriter()
        json.beginObject()
        json.name("error")
        json.beginObject()
        json.member("code", code)
        json.member("message", message)
        if let field { json.member("field", field) }
        json.member("retryable", retryAfter != nil)
        json.endObject()
        json.endObject()
        var answer = HTTPAnswer(status: status, json: json.bytes)
        answer.fields = fields
        if let retryAfter { answer.fields.append(HTTPField("Retry-After", String(retryAfter))) }
        return answer
    }
}

extension GatewayError {
    /// A refusal by the contract.
    init(_ error: MessageError) {
        self.init(
            status: Self.status(of: error.code), code: error.code.rawValue, message: error.message, field: error.field,
            retryAfter: error.retryAfter.map { Int($0) } ?? (error.isRetryable ? 1 : nil))
    }

    /// Why a worker did not answer, without anything of the broker, which is none of an app's business.
    init(_ error: ClientError) {
        switch error {
        case .refused(let reason): self.init(reason)
        case .unavailable: self.init(503, "broker_unavailable", "the broker cannot be reached", retryAfter: 2)
        case .timedOut: self.init(503, "no_worker", "no worker answered in time", retryAfter: 5)
        case .cancelled: self = .stopping
        case .unreadable: self.init(502, "unreadable_reply", "a worker's reply cannot be read", retryAfter: 5)
        }
    }

    private init(
        _ status: UInt32, _ code: String, _ message: String, retryAfter: Int? = nil, fields: [HTTPField] = []
    ) {
        self.init(status: status, code: code, message: message, retryAfter: retryAfter, fields: fields)
    }

    /// The HTTP status of a refusal.
    static func status(of code: ErrorCode) -> UInt32 {
        switch code {
        case .policyDenied: 403
        case .leaseNotFound: 404
        case .idempotencyConflict, .leaseSuperseded, .leaseCancelled, .tokenExpired: 409
        case .messageTooLarge: 413
        case .rateLimited: 429
        case .internal: 500
        case .deadlineExceeded: 503
        case .missingReplyTo, .replyToNotAllowed, .deliveryLimit, .rejectedByStore: 500
        default: 400
        }
    }

    static let stopping = GatewayError(503, "stopping", "the gateway is stopping", retryAfter: 1)

    static let notFound = GatewayError(
        404, "not_found", "there is nothing here; tokens are at \(GatewayPath.token.name)")

    static func methodNotAllowed(_ allowed: String) -> GatewayError {
        GatewayError(
            405, "method_not_allowed", "the method must be one of \(allowed)", fields: [HTTPField("Allow", allowed)])
    }

    static let originNotAllowed = GatewayError(
        403, "origin_not_allowed", "pages of this origin may not use the gateway; see its setting allow-origin")

    static let unauthorized = GatewayError(
        401, "unauthorized", "the gateway's secret is missing or wrong; send it as Authorization: Bearer SECRET",
        fields: [HTTPField("WWW-Authenticate", #"Bearer realm="agora-token""#)])

    /// A body that is not read.
    init(_ fault: HTTPFault) {
        switch fault {
        case .bodyTooLarge(let limit):
            self.init(413, ErrorCode.messageTooLarge.rawValue, "the body has more than \(limit) bytes")
        case .ambiguousLength:
            self.init(400, "ambiguous_length", "the length of the body is said twice")
        case .unknownCoding: self.init(501, "unknown_coding", "the only transfer coding is chunked")
        }
    }
}
