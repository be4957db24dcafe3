// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Examination {
    /// Examines a token of version 007.
    mutating func examine(_ token: ParsedToken) {
        let candidates = candidates(token)
        let kind = candidates.first?.kind ?? service ?? .rtc
        if let certificates = certificates(token.appID, kind), !certificates.contains(where: token.isSigned) {
            refuseCertificate(token.appID, kind)
        }
        let isAlive = examineTimes(token, kind)
        if let unknown = token.unknownServiceType {
            remark(
                .unknownService, "The token has a service of type \(unknown), which is not known here.",
                "It and what follows it could not be read.")
        }
        guard !candidates.isEmpty else {
            let names = token.services.map(\.kind.description).joined(separator: ", ")
            refuse(
                .missingService,
                "The token is not for \(kind)" + (names.isEmpty ? "." : "; it is for \(names)."),
                "Make a token with the service \(kind).", .invalid(kind))
            return
        }
        // Of several services of one kind, the one that fits best counts.
        let examined = candidates.map { candidate in
            var copy = self
            copy.examine(candidate, token, isAlive: isAlive)
            return copy
        }
        if let best = examined.min(by: { $0.refusals.count < $1.refusals.count }) { self = best }
    }

    /// The services of the token that the client may mean.
    private func candidates(_ token: ParsedToken) -> [Service] {
        if let service { return token.services.filter { $0.kind == service } }
        let calls = token.services.filter { $0.kind == .rtc }
        if !calls.isEmpty { return calls }
        guard let first = token.services.first else { return [] }
        return token.services.filter { $0.kind == first.kind }
    }

    /// Whether the token as a whole has begun and not ended.
    private mutating func examineTimes(_ token: ParsedToken, _ kind: Service.Kind) -> Bool {
        let begin = UInt64(token.issuedAt)
        if token.lifetime > AccessToken.maximumLifetime {
            let isDate = token.lifetime > 1_000_000_000
            remark(
                .lifetimeTooLong,
                "The token asks for \(token.lifetime) seconds; Agora ends it after 86400, one day.",
                isDate
                    ? "The number looks like a date: the lifetime is in seconds after the issue time."
                    : "Ask for a day at most, and renew.")
        }
        let end = begin + UInt64(min(token.lifetime, AccessToken.maximumLifetime))
        if moment < begin {
            refuse(
                .notYetValid,
                "The token begins at \(Wording.moment(begin)), in \(Wording.duration(begin - moment)).",
                "Set the clock of the host that made it.", .invalid(kind))
        }
        guard moment >= end else { return moment >= begin }
        refuse(
            .expired,
            "The token ran out at \(Wording.moment(end)), \(Wording.duration(moment - end)) ago.",
            "Make a new one, and renew it before it runs out.", .expired(kind))
        return false
    }

    private mutating func examine(_ service: Service, _ token: ParsedToken, isAlive: Bool) {
        let kind = service.kind
        switch service {
        case .rtc(let name, let account, _), .streaming(let name, let account, _), .fcdn(let name, let account, _):
            examine(channel: name, account: account, kind)
        case .rtm(let userID, _), .rtm2(let userID, _, _), .chat(let userID, _):
            examineLogin(userID, kind, isApp: service.privileges[ChatPrivilege.app] != nil && kind == .chat)
        case .apaas(let room, let userID, _, _):
            if let channel, !room.isEmpty { compare(channel: room, channel, kind) }
            if let user, !userID.isEmpty {
                if userID != user.packed { refuseUser(userID, user, kind) }
            } else if let user, service.privileges[APaaSPrivilege.app] != nil {
                refuseAdministration(user, kind)
            }
        case .fpa, .convoAI, .stt:
            break
        }
        examinePrivileges(service, token, isAlive: isAlive)
    }

    private mutating func examine(channel name: String, account: String, _ kind: Service.Kind) {
        if name == "*" {
            remark(.anyChannel, "The token is for any channel.", "Such tokens are meant for subscribers.")
            if account.isEmpty {
                refuse(
                    .wrongUser, "The token is for any channel and any user, which Agora does not accept.",
                    "Make it for one channel, or for one user.", .invalid(kind))
            }
        } else if let channel {
            compare(channel: name, channel, kind)
        } else {
            remark(.identityNotChecked, "The token is for the channel \(Wording.quoted(name)); none was given.")
        }
        compare(account: account, kind)
    }

    private mutating func examineLogin(_ userID: String, _ kind: Service.Kind, isApp: Bool) {
        if userID.isEmpty {
            guard !isApp else {
                if let user { refuseAdministration(user, kind) }
                return
            }
            refuse(
                .wrongUser, "The token names no user, and \(kind) has no wildcard.",
                "Make the token for the user who logs in.", .invalid(kind))
        } else if let user {
            if userID != user.packed { refuseUser(userID, user, kind) }
        } else {
            remark(.identityNotChecked, "The token is for the user \(Wording.quoted(userID)); none was given.")
        }
    }
}
