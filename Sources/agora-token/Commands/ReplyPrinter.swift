// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// Shows replies and notices to people, or gives them to machines as they came.
struct ReplyPrinter {
    let console: Console
    let json: Bool

    /// Prints a reply.
    func print(_ reply: Reply) {
        guard !json else { return console.print(String(decoding: reply.encode(), as: UTF8.self)) }
        switch reply {
        case .issued(let token), .renewed(let token): print(token)
        case .cancelled(let cancelled):
            rows([
                ("cancelled", cancelled.leaseID), ("for", Self.text(cancelled.scope)),
                ("token valid until", RFC3339.text(seconds: Int64(cancelled.tokenExpiresAt))),
            ])
            warn(cancelled.warnings)
        case .explained(let explained):
            console.print(explained.isAccepted ? "accepted" : "refused")
            for sentence in explained.refusals + explained.remarks { console.print(sentence) }
        case .batch(let batch):
            for result in batch.results {
                switch result {
                case .token(let token): print(token)
                case .cancelled(let cancelled): print(.cancelled(cancelled))
                case .error(let error): print(.error(error))
                }
            }
        case .error(let error): console.note(error.description)
        }
    }

    private func print(_ token: TokenReply) {
        var lines = [
            ("token", token.isDryRun ? "none: this was a dry run" : token.token), ("for", Self.text(token.scope)),
            ("project", token.appID),
            ("expires", "\(RFC3339.text(seconds: Int64(token.expiresAt))), in \(token.expiresIn) s"),
        ]
        if let id = token.leaseID { lines.append(("lease", id)) }
        lines.append(("renew after", RFC3339.text(seconds: Int64(token.renewAfter))))
        if token.isScheduled {
            let leads = token.notifyBefore.map { "\($0) s before" } + ["when it has expired"]
            lines.append(("notices", leads.joined(separator: ", ")))
        } else {
            lines.append(("notices", "none"))
        }
        for privilege in token.privileges where privilege.seconds != token.expiresAt {
            lines.append((privilege.privilege.rawValue, "until \(RFC3339.text(seconds: Int64(privilege.seconds)))"))
        }
        rows(lines)
        warn(token.warnings)
    }

    /// Prints a notice.
    func print(_ notice: Notice) {
        guard !json else { return console.print(String(decoding: notice.encode(), as: UTF8.self)) }
        let time = RFC3339.text(milliseconds: notice.timeMilliseconds).dropFirst(11).dropLast(5)
        let what =
            switch notice.kind {
            case .willExpire: "expires in \(notice.expiresIn) s"
            case .expired: "has expired"
            case .renewed: "was renewed"
            case .renewalFailed: "could not be renewed"
            case .cancelled: "was cancelled"
            }
        var line = "\(time) \(notice.kind.rawValue): \(Self.text(notice.scope)) \(what)"
        if notice.kind == .willExpire, !notice.privileges.isEmpty,
            notice.privileges.allSatisfy({ $0.seconds != notice.expiresAt })
        {
            line =
                "\(time) \(notice.kind.rawValue): \(Self.text(notice.scope)) loses "
                + notice.privileges.map(\.privilege.rawValue).joined(separator: ", ")
        }
        if let reason = notice.reason { line += " (\(reason))" }
        if notice.lateByMilliseconds >= 1000 { line += ", told \(notice.lateByMilliseconds) ms late" }
        console.print("\(line)  lease \(notice.leaseID) generation \(notice.generation)")
    }

    private func rows(_ lines: [(String, String)]) {
        let width = lines.map(\.0.count).max() ?? 0
        for (name, value) in lines {
            console.print(name + String(repeating: " ", count: width - name.count + 2) + value)
        }
    }

    private func warn(_ warnings: [String]) {
        for warning in warnings { console.note("warning: \(warning)") }
    }

    private static func text(_ scope: TokenScope) -> String {
        let user =
            switch scope.user {
            case .uid(0): "any user"
            case .uid(let number): "uid \(number)"
            case .account(let name): "account \(name)"
            case .userID(let name), .userUUID(let name): "user \(name)"
            case .project: nil as String?
            }
        let place = scope.channelName.map { "channel \($0)" } ?? scope.roomUUID.map { "room \($0)" }
        return [scope.service.rawValue, place, user].compactMap(\.self)
            .joined(separator: ", ")
    }
}
