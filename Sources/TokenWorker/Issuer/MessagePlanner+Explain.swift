// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken
internal import TokenMessages

extension MessagePlanner {
    /// Says what a token says and why Agora would refuse it, to callers who may have such a token.
    func explanation(_ request: ExplainRequest, _ origin: Origin) throws(MessageError) -> Plan {
        let report = TokenReport(
            request.token, projects: projects.certificates, service: request.service, channel: request.channelName,
            user: request.user, at: Self.seconds(origin.now))
        // A token of version 006 does not tell what it is for, and one that no request can ask for is under no rule.
        if case .current(let token) = report.content, let grant = try? Grant(token) {
            try allow(policy.decide(origin.caller, grant, for: .explain), grant, origin)
        }
        return .answer(.explained(ExplainedReply(report)), origin.key)
    }
}
