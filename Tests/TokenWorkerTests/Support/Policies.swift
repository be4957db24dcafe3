// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

@testable import TokenWorker

extension Policy {
    /// The policy of a JSON5 text, as a configuration file would have it.
    init(_ text: String) throws(ConfigurationError) {
        try self.init(ConfigurationTree(text: Array(text.utf8), name: "test.json5"), at: "policy", projects: nil)
    }
}

extension Grant {
    /// What a request of the given body asks for, of the bench's project.
    init(_ body: String, defaultLifetime: UInt32 = 3600) throws {
        let request = try TokenRequest.decode(Array(body.utf8))
        try self.init(request, appID: request.appID ?? Bench.appID, defaultLifetime: defaultLifetime)
    }
}

extension Caller {
    static func user(_ name: String) -> Caller { Caller(userID: name, appID: nil) }
    static func app(_ name: String) -> Caller { Caller(userID: nil, appID: name) }
}
