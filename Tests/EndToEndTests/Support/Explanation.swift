// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport

/// The reply to `token.explain`, as far as the tests read it.
struct Explanation: Decodable {
    struct Finding: Decodable {
        var code: String
        var message: String
        var advice: String?
    }
    struct Content: Decodable {
        struct Service: Decodable {
            var type: String
            var privileges: [String: Int]
        }
        var version: String
        var appId: String
        var services: [Service]?
    }
    var accepted: Bool
    var refusals: [Finding]
    var remarks: [Finding]
    var content: Content?

    var codes: [String] { refusals.map(\.code) }
}

extension Requester {
    /// Asks what a token says, with the given fields beside it.
    func explain(_ token: String, _ fields: String = "") async throws -> Explanation {
        let body = #"{"token":"\#(token)"\#(fields.isEmpty ? "" : ",")\#(fields)}"#
        let message = try await ask(body, .request, .init(type: "token.explain"))
        guard message.properties.type == "token.explained" else { throw TestFailure(message.text) }
        return try message.json()
    }
}
