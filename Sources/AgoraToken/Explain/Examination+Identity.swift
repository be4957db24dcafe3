// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Examination {
    /// Compares the channel of the token with the one that the client joins.
    mutating func compare(channel name: String, _ channel: String, _ kind: Service.Kind) {
        guard name != channel else { return }
        let hint =
            name.lowercased() == channel.lowercased()
            ? " They differ in upper and lower case only, which counts."
            : Self.trimmed(name) == Self.trimmed(channel) ? " They differ in white space only, which counts." : ""
        refuse(
            .wrongChannel,
            "The token is for the channel \(Wording.quoted(name)), but the client joins \(Wording.quoted(channel))."
                + hint,
            "Join the channel of the token, or make a token for this one.", .invalid(kind))
    }

    /// Compares the account of the token with the user who joins.
    mutating func compare(account: String, _ kind: Service.Kind) {
        if account.isEmpty {
            remark(
                .anyUser, "The token names no user: whoever has it may join as anyone.",
                "Name the uid or account to prevent that.")
            return
        }
        guard let user else {
            remark(.identityNotChecked, "The token is for the user \(Wording.quoted(account)); none was given.")
            return
        }
        guard account == user.packed else { return refuseUser(account, user, kind) }
        if case .account = user, Self.isUID(account) {
            remark(
                .ambiguousUser,
                "The account \(Wording.quoted(account)) and the uid \(account) have the same token, but are two users.",
                "Join with the kind that the token was asked for.")
        }
    }

    /// Says why the user who joins is not the one of the token.
    mutating func refuseUser(_ account: String, _ user: RTCUser, _ kind: Service.Kind) {
        let tokenUser = Self.isUID(account) ? "uid \(account)" : "account \(Wording.quoted(account))"
        let message: String
        let advice: String
        switch user {
        case .uid(0):
            message =
                "The token is for \(tokenUser), but the client joins with uid 0, so that Agora picks a uid for it."
            advice = "Join with the uid of the token, or make a token for uid 0, which is any user."
        case .uid(let uid) where account == "0":
            message =
                "The token is for the account \"0\", which is a user of that name and not a wildcard,"
                + " but the client joins as uid \(uid)."
            advice = "For any user, make the token for the number 0; PHP's official builder gets that wrong."
        case .uid(let uid) where Self.isUID(account):
            message = "The token is for uid \(account), but the client joins as uid \(uid)."
            advice = "Join with the uid that the token was made for, or make a token for this one."
        case .uid(let uid):
            message = "The token is for \(tokenUser), but the client joins with the number \(uid)."
            advice = "Join with the user account, or make a token for the uid: Agora takes them for different users."
        case .account(let name):
            let hint =
                account.lowercased() == name.lowercased()
                ? " They differ in upper and lower case only, which counts."
                : Self.trimmed(account) == Self.trimmed(name) ? " They differ in white space only, which counts." : ""
            message = "The token is for \(tokenUser), but the client is the account \(Wording.quoted(name))." + hint
            advice = "Use the account that the token was made for, or make a token for this one."
        }
        refuse(.wrongUser, message, advice, .invalid(kind))
    }

    /// Says that a token for the administration of a service is nobody's to log in with.
    mutating func refuseAdministration(_ user: RTCUser, _ kind: Service.Kind) {
        refuse(
            .wrongUser,
            "The token is for the administration of \(kind) and names no user, but the client is the account "
                + "\(Wording.quoted(user.packed)).",
            "Make a token for the user; this one is for the server's own calls.", .invalid(kind))
    }

    /// Whether text is what a builder makes of a uid.
    static func isUID(_ text: String) -> Bool {
        UInt32(text).map { String($0) == text } ?? false
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace: (Character) -> Bool = { $0.isWhitespace }
        var part = text[...].drop(while: isSpace)
        while let last = part.last, isSpace(last) { part.removeLast() }
        return String(part)
    }
}
