// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What a token says, and every reason why Agora would refuse it for a project, channel, user and moment.
///
/// ```swift
/// let report = TokenReport(token, projects: [appID: [certificate]], channel: "test", user: 123456)
/// for refusal in report.refusals { print(refusal) }
/// ```
///
/// What is not given is not checked, and a remark says so. Invalid and expired are never confused: each reason has a
/// code and an error of Agora of its own.
public struct TokenReport: Sendable, Hashable {
    /// What a token says.
    public enum Content: Sendable, Hashable {
        /// A token of version 007.
        case current(ParsedToken)
        /// A token of version 006.
        case legacy(ParsedLegacyToken)
    }

    /// What the token says, nothing when it could not be read.
    public let content: Content?
    /// Why Agora would refuse the token, the most basic reason first.
    public let refusals: [Finding]
    /// What else might surprise.
    public let remarks: [Finding]

    /// Whether there is no reason to refuse the token.
    public var isAccepted: Bool {
        refusals.isEmpty
    }

    /// Explains a token.
    ///
    /// - Parameters:
    ///   - text: The token.
    ///   - projects: The certificates of each project that the token may be of.
    ///   - service: What the token is used for; by default RTC if the token has it, otherwise its first service.
    ///   - channel: The channel that the client joins, or the room.
    ///   - user: Who the client is, as it joins or logs in.
    ///   - moment: When the token is used, in seconds since 1970; by default the current second.
    public init(
        _ text: String, projects: [AppID: [AppCertificate]] = [:], service: Service.Kind? = nil,
        channel: String? = nil, user: RTCUser? = nil, at moment: UInt32? = nil
    ) {
        var examination = Examination(
            projects: projects, service: service, channel: channel, user: user,
            moment: UInt64(moment ?? SystemSource.now()))
        do throws(TokenError) {
            switch try TokenVersion(text) {
            case .current:
                let token = try AccessToken.parse(text)
                content = .current(token)
                examination.examine(token)
            case .legacy:
                let token = try LegacyToken.parse(text)
                content = .legacy(token)
                examination.examine(token)
            }
        } catch {
            content = nil
            examination.report(error, text)
        }
        refusals = examination.refusals
        remarks = examination.remarks
    }
}
