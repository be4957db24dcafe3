// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// One thing to know about a token: why Agora refuses it, or what might surprise its user.
public struct Finding: Sendable, Hashable {
    /// What kind of thing it is; the raw values are stable.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The text is no token, or a damaged one.
        case malformed
        /// The token has a version that Agora does not use.
        case unsupportedVersion
        /// The token is of a project that was not given.
        case unknownProject
        /// The token was signed with another certificate, or altered.
        case wrongCertificate
        /// The token begins in the future.
        case notYetValid
        /// The token has run out.
        case expired
        /// The token is not for the service.
        case missingService
        /// The token is for another channel or room.
        case wrongChannel
        /// The token is for another user.
        case wrongUser
        /// The token does not grant what the service asks for.
        case missingPrivilege
        /// The privilege that the service asks for has run out, though the token has not.
        case expiredPrivilege
        /// The signature was not checked, because something needed for it was not given.
        case signatureNotChecked
        /// Channel or user were not checked, because they were not given.
        case identityNotChecked
        /// Any user may use the token.
        case anyUser
        /// The token may be used in any channel.
        case anyChannel
        /// A number and a text that look alike are different users to Agora.
        case ambiguousUser
        /// The token asks for longer than Agora grants.
        case lifetimeTooLong
        /// The token or a privilege does not grant, or no longer grants, to publish something.
        case notPublishing
        /// The token has a service that this library does not know.
        case unknownService
    }

    /// What kind of thing it is.
    public let code: Code
    /// What is the case, in one sentence.
    public let message: String
    /// What to do, in one sentence; empty when there is nothing to do.
    public let advice: String
    /// The error that Agora's client reports for it, where one is known.
    public let agoraError: AgoraError?
}

extension Finding: CustomStringConvertible {
    /// Message, advice and Agora's error in one line.
    public var description: String {
        message + (advice.isEmpty ? "" : " " + advice) + (agoraError.map { " [Agora: \($0)]" } ?? "")
    }
}
