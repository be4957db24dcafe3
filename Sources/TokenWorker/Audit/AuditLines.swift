// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken
internal import LeaseStore
internal import TokenMessages

/// The audit's lines about a batch, in JSON.
///
/// There is one for each token that is signed, each lease that is cancelled, and each refusal. No line has a token, only
/// its hash.
struct AuditLines {
    /// The lines so far.
    private(set) var bytes: [UInt8] = []
    /// The time of every line, written once.
    private let time: String
    /// The policy that the batch was judged by.
    private let policy: Policy

    /// Begins with none, at `milliseconds` since 1970.
    init(milliseconds: Int64, policy: Policy) {
        time = RFC3339.text(milliseconds: milliseconds)
        self.policy = policy
    }

    /// A line that stands where the audit could not be written for a while.
    static func resumed(at milliseconds: Int64) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("time", RFC3339.text(milliseconds: milliseconds))
        json.member("event", "resumed")
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// What a line tells of.
    enum Event: String {
        case issued
        case renewed
        case cancelled
        case refused
    }

    /// Who asked, and for what.
    struct Subject {
        let caller: Caller
        /// What was asked for: the kind of message, or `auto_renew`.
        let kind: String
        var correlationID: [UInt8]?
        var messageID: [UInt8]?
    }

    /// Adds the line of a reply; explanations and dry runs, which sign nothing, have none, and of a batch each item has
    /// one of its own.
    mutating func add(_ reply: Reply, _ subject: Subject) {
        switch reply {
        case .issued(let token) where !token.isDryRun: add(token, .issued, subject)
        case .renewed(let token): add(token, .renewed, subject)
        case .cancelled(let cancelled):
            add(.cancelled, subject) { json, policy in
                json.member("leaseId", cancelled.leaseID)
                json.member("generation", cancelled.generation)
                Self.write(policy.rule(for: subject.caller, appID: cancelled.appID, scope: cancelled.scope), to: &json)
                json.member("appId", cancelled.appID)
                cancelled.scope.write(to: &json)
                json.member("tokenExpiresAt", cancelled.tokenExpiresAt)
            }
        case .error(let error): add(error, subject)
        case .issued, .explained, .batch: break
        }
    }

    /// Adds the line of a refusal.
    mutating func add(_ error: MessageError, _ subject: Subject) {
        add(.refused, subject) { json, _ in
            json.member("code", error.code.rawValue)
            if let field = error.field { json.member("field", field) }
            json.member("message", error.message)
            guard let denial = error.denial else { return }
            if let rule = denial.rule { json.member("rule", rule) }
            json.member("appId", denial.grant.appID)
            denial.grant.scope.write(to: &json)
            if let role = denial.grant.role { json.member("role", role.name) }
            json.member("expire", denial.grant.lifetime)
        }
    }

    private mutating func add(_ token: TokenReply, _ event: Event, _ subject: Subject) {
        add(event, subject) { json, policy in
            if let leaseID = token.leaseID { json.member("leaseId", leaseID) }
            if let generation = token.generation { json.member("generation", generation) }
            Self.write(policy.rule(for: subject.caller, appID: token.appID, scope: token.scope), to: &json)
            json.member("appId", token.appID)
            token.scope.write(to: &json)
            json.member("issuedAt", token.issuedAt)
            json.member("expiresAt", token.expiresAt)
            json.name("privileges")
            json.beginObject()
            for privilege in token.privileges { json.member(privilege.privilege.rawValue, privilege.seconds) }
            json.endObject()
            json.member("tokenSHA256", Hex.encode(SHA256.hash(Array(token.token.utf8))))
        }
    }

    private mutating func add(_ event: Event, _ subject: Subject, _ fields: (inout JSONWriter, Policy) -> Void) {
        var json = JSONWriter(capacity: 640)
        json.beginObject()
        json.member("time", time)
        json.member("event", event.rawValue)
        json.member("kind", subject.kind)
        json.member("caller", subject.caller.text)
        // A sender may have put a token there.
        if let id = subject.correlationID { json.member("correlationId", Redacted.tokens(Self.text(id))) }
        if let id = subject.messageID { json.member("messageId", Redacted.tokens(Self.text(id))) }
        fields(&json, policy)
        json.endObject()
        bytes += json.bytes
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func text(_ id: [UInt8]) -> String { String(decoding: id, as: UTF8.self) }

    private static func write(_ rule: PolicyRule?, to json: inout JSONWriter) {
        if let rule { json.member("rule", rule.name) }
    }
}

extension AuditLines.Subject {
    /// The sender of a message.
    init(_ message: IncomingMessage) {
        self.init(
            caller: message.caller,
            kind: message.properties.isExplanation ? "explain" : message.properties.kind.rawValue,
            correlationID: message.properties.correlationID, messageID: message.properties.messageID)
    }

    /// The plan of a lease.
    init(_ lease: Lease) {
        self.init(caller: lease.caller, kind: "auto_renew", correlationID: lease.renewal?.correlationID)
    }
}

extension AuditLines {
    /// Adds the lines of an answer to a message.
    mutating func add(_ answer: ReplyComposer.Answer, to message: IncomingMessage) {
        let subject = Subject(message)
        add(answer.reply, subject)
        for reply in answer.items { add(reply, subject) }
    }
}
