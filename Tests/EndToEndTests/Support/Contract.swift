// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The parts of the worker's messages that the tests read.
///
/// Written from the contract, not shared with the worker.
enum Contract {
    struct Reply: Decodable, Hashable, Sendable {
        var token: String
        var leaseId: String?
        var generation: Int?
        var appId: String
        var service: String
        var channelName: String?
        var uid: UInt32?
        var account: String?
        var issuedAt: Int
        var expiresAt: Int
        var expiresIn: Int
        var renewAfter: Int
        var notifyBefore: [Int]?
        var privileges: [String: Int]
        var scheduled: Bool
        var warnings: [String]
    }

    struct ErrorReply: Decodable, Hashable, Sendable {
        struct Body: Decodable, Hashable, Sendable {
            var code: String
            var message: String
            var field: String?
            var retryable: Bool
            var retryAfter: Int?
        }
        var error: Body
    }

    struct Notice: Decodable, Hashable, Sendable {
        struct Step: Decodable, Hashable, Sendable {
            var kind: String
            var plannedAt: Int
        }

        struct Body: Decodable, Hashable, Sendable {
            var leaseId: String
            var generation: Int
            var caller: String
            var expiresAt: Int
            var plannedAt: Int
            var lateByMilliseconds: Int
            var missed: [Step]
            var attempt: Int
            var reason: String?
            var channelName: String?
            var uid: UInt32?
        }
        var specversion: String
        var id: String
        var source: String
        var type: String
        var time: String
        var subject: String
        var data: Body

        /// The part of the type that names the step, such as `will_expire`.
        var kind: String {
            type.hasPrefix("io.agora-token.") && type.hasSuffix(".v1") ? String(type.dropFirst(15).dropLast(3)) : type
        }
    }
}
