// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Examination {
    /// Examines a token of version 006, which holds only checksums of channel and user.
    mutating func examine(_ token: ParsedLegacyToken) {
        let isMessaging = token.privileges[LegacyPrivilege.rtmLogin] != nil
        let kind: Service.Kind = service ?? (isMessaging ? .rtm : .rtc)
        let needed = kind == .rtm ? LegacyPrivilege.rtmLogin : RTCPrivilege.joinChannel
        let name = kind == .rtm ? "log in" : "join the channel"
        if let certificates = certificates(token.appID, kind) { checkIdentity(token, kind, certificates) }
        if moment >= token.expiresAt {
            let end = UInt64(token.expiresAt)
            refuse(
                .expired, "The token ran out at \(Wording.moment(end)), \(Wording.duration(moment - end)) ago.",
                "Make a new one, of version 007.", .expired(kind))
        } else if let until = token.privileges[needed].map(UInt64.init), until != 0, moment >= until {
            refuse(
                .expiredPrivilege,
                "The privilege to \(name) ran out at \(Wording.moment(until)); the token itself has not.",
                "Make a new token.", .expired(kind))
        }
        if token.privileges[needed] == nil {
            refuse(
                .missingPrivilege, "The token does not grant to \(name).", "Make a token with that privilege.",
                .invalid(kind))
        }
    }

    private mutating func checkIdentity(
        _ token: ParsedLegacyToken, _ kind: Service.Kind, _ certificates: [AppCertificate]
    ) {
        // For messaging, the user stands in the place of the channel, and nobody in that of the user.
        let first = kind == .rtm ? user?.packed : channel
        let second = kind == .rtm ? "" : user?.packed
        guard let first, let second else {
            remark(
                .signatureNotChecked, "The signature was not checked: it covers channel and user, which were not given."
            )
            return
        }
        let isChannel = token.isFor(channel: first)
        let isAnyUser = token.isFor(account: "")
        if !isChannel {
            refuse(
                kind == .rtm ? .wrongUser : .wrongChannel,
                "The token is not for the \(kind == .rtm ? "user" : "channel") \(Wording.quoted(first)).",
                "A token of version 006 does not tell for which one it is: make a new one.", .invalid(kind))
        }
        if !isAnyUser, !token.isFor(account: second) {
            refuse(
                .wrongUser, "The token is not for the user \(Wording.quoted(second)).",
                "A token of version 006 does not tell for whom it is: make a new one.", .invalid(kind))
        } else if isChannel {
            let account = isAnyUser ? "" : second
            if isAnyUser, kind != .rtm {
                remark(.anyUser, "The token names no user: whoever has it may join as anyone.")
            }
            if !certificates.contains(where: { token.isSigned(by: $0, channel: first, account: account) }) {
                refuseCertificate(token.appID, kind)
            }
        }
    }
}
