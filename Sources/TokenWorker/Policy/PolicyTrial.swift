// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken
package import TokenMessages

/// What a policy would say of a message, and why, without a worker.
package struct PolicyTrial: Sendable {
    /// Who would send it, and what.
    package struct Message: Sendable {
        /// What the message is, as the queues have it, and the explanation beside them.
        package enum Kind: String, Sendable, CaseIterable {
            case request
            case renew
            case cancel
            case explain
        }

        package var kind: Kind
        /// The property `user_id`, which the broker would have checked.
        package var userID: String?
        /// The property `app_id`.
        package var appID: String?
        /// The JSON text.
        package var body: [UInt8]

        package init(kind: Kind, userID: String?, appID: String?, body: [UInt8]) {
            self.kind = kind
            self.userID = userID
            self.appID = appID
            self.body = body
        }
    }

    let policy: Policy
    /// The projects that are configured; nil where they are not known, so that a message has to name its own where
    /// a rule asks for it.
    let projects: Projects?
    let defaultLifetime: UInt32

    /// A trial by a policy.
    package init(policy: Policy, projects: Projects?, defaultLifetime: UInt32) {
        self.policy = policy
        self.projects = projects
        self.defaultLifetime = defaultLifetime
    }

    /// What is said of each item of a message.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - now: seconds since 1970.
    /// - Returns: a verdict for each item, in order.
    /// - Throws: `MessageError` when the body is not one that a policy would ever be asked about.
    package func verdicts(on message: Message, at now: UInt32) throws(MessageError) -> [PolicyVerdict] {
        let caller = Caller(userID: message.userID, appID: message.appID)
        switch message.kind {
        case .request:
            return try items(message.body) { (request: TokenRequest) throws(MessageError) in
                try verdict(on: request, caller)
            }
        case .renew:
            return try items(message.body) { (renewal: RenewRequest) throws(MessageError) in
                let (grant, issuedAt) = try Self.grant(renewal.lease)
                let rule = RenewalRule(renewing: grant, issuedAt: issuedAt, at: now, expire: renewal.expire)
                return verdict(on: rule.grant, .sign, caller)
            }
        case .cancel:
            return try items(message.body) { (cancellation: CancelRequest) throws(MessageError) in
                verdict(on: try Self.grant(cancellation.lease).grant, .cancel, caller)
            }
        case .explain:
            let request = try ExplainRequest.decode(message.body)
            return [verdict(on: try Self.grant(.token(request.token)).grant, .explain, caller)]
        }
    }

    private func items<Item: MessageItem>(
        _ body: [UInt8], _ verdict: (Item) throws(MessageError) -> PolicyVerdict
    ) throws(MessageError) -> [PolicyVerdict] {
        switch try MessageBody<Item>(body) {
        case .single(let item): return [try verdict(item)]
        case .list(let items):
            var verdicts: [PolicyVerdict] = []
            for item in items { verdicts.append(try verdict(item.get())) }
            return verdicts
        }
    }

    private func verdict(on request: TokenRequest, _ caller: Caller) throws(MessageError) -> PolicyVerdict {
        let appID = try project(request.appID)
        let rule = policy.rule(for: caller, appID: appID, scope: request.scope)
        let longest = rule?.allowance?.longestLifetime ?? .max
        let grant = try Grant(request, appID: appID, defaultLifetime: min(defaultLifetime, longest))
        return verdict(on: grant, .sign, caller)
    }

    /// The project that a request means.
    private func project(_ appID: String?) throws(MessageError) -> String {
        if let projects {
            if let project = projects.project(appID) { return project.name }
        } else if let appID {
            return appID
        } else if !policy.namesProjects {
            return Self.anyProject
        }
        throw MessageError(
            .unknownProject,
            appID == nil
                ? "no default project is configured here; appId must name one"
                : "the project of appId is not configured here", field: "appId")
    }

    /// Stands for the project where none is known and no rule asks for it.
    private static let anyProject = String(repeating: "0", count: 32)

    private func verdict(on grant: Grant, _ use: PolicyUse, _ caller: Caller) -> PolicyVerdict {
        let decision = policy.decide(caller, grant, for: use)
        let name = CallerName(caller)
        var passed: [PolicyVerdict.Passed] = []
        for rule in policy.rules ?? [] {
            guard let mismatch = rule.subject.mismatch(name, appID: grant.appID, scope: grant.scope) else { break }
            passed.append(PolicyVerdict.Passed(rule: rule.name, reason: "\(mismatch)"))
        }
        return PolicyVerdict(
            caller: caller.text, rule: decision.rule?.name, refusal: decision.refusal,
            rate: decision.rule?.allowance?.rate?.description, passed: passed)
    }

    /// What the token of a message grants; its signature is not checked.
    private static func grant(_ lease: LeaseReference) throws(MessageError) -> (grant: Grant, issuedAt: UInt32) {
        guard case .token(let text) = lease else {
            throw MessageError(
                .fieldNotApplicable, "what a lease is for is known to the worker only; give its token",
                field: "leaseId")
        }
        let token: ParsedToken
        do {
            token = try AccessToken.parse(text)
        } catch {
            throw MessageError(.tokenMalformed, "\(error)", field: "token")
        }
        return (try Grant(token), token.issuedAt)
    }
}

extension PolicyTrial {
    /// A trial by what is configured; without projects a message has to name its own where a rule asks for it.
    ///
    /// - Throws: ``ConfigurationError`` when the policy, or a project that is there, is malformed.
    package init(_ sources: SettingSources) throws(ConfigurationError) {
        let projects = try sources.namesProjects ? Projects(sources) : nil
        self.init(
            policy: try Policy(sources, projects: projects), projects: projects,
            defaultLifetime: try sources.integer(.defaultLifetime, in: 1...86_400) ?? 3600)
    }
}

extension SettingSources {
    /// Whether any project is configured, well or not.
    fileprivate var namesProjects: Bool {
        get throws(ConfigurationError) {
            let (appID, certificate) = (try value(of: .appID), try value(of: .certificate))
            return appID != nil || certificate != nil || !file.projects.isEmpty
        }
    }
}
