// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import TokenMessages
import TokenWorker

/// Prints a report for people.
struct ReportPrinter {
    let console: Console

    /// Prints what the token says, then the reasons to refuse it, then the rest.
    func print(_ report: TokenReport) {
        switch report.content {
        case .current(let token): describe(token)
        case .legacy(let token): describe(token)
        case nil: break
        }
        for refusal in report.refusals { console.print("refused  \(refusal)") }
        for remark in report.remarks { console.print("note     \(remark)") }
        if report.isAccepted { console.print("accepted Nothing speaks against the token.") }
    }

    private func describe(_ token: ParsedToken) {
        console.print("token    version 007, project \(token.appID)")
        console.print("time     \(Wording.moment(UInt64(token.issuedAt))) to \(Wording.moment(token.expiresAt))")
        for service in token.services {
            console.print("service  \(service.kind)\(identity(service))")
            printGrants(
                service.privileges, name: { Privilege(id: $0, in: service.kind) }, limit: { "for \($0) s" })
        }
    }

    private func describe(_ token: ParsedLegacyToken) {
        console.print("token    version 006, project \(token.appID)")
        console.print("time     until \(Wording.moment(UInt64(token.expiresAt)))")
        printGrants(
            token.privileges, name: { $0 == LegacyPrivilege.rtmLogin ? .login : Privilege(id: $0, in: .rtc) },
            limit: { "until \(Wording.moment(UInt64($0)))" })
    }

    /// Prints each privilege by its name, or its number where it has none, and how long it lasts.
    private func printGrants(_ privileges: Privileges, name: (UInt16) -> Privilege?, limit: (UInt32) -> String) {
        for entry in privileges.entries {
            let time = entry.seconds == 0 ? "as the token" : limit(entry.seconds)
            console.print("grants   \(name(entry.id)?.rawValue ?? "privilege \(entry.id)") \(time)")
        }
    }

    private func identity(_ service: Service) -> String {
        switch service {
        case .rtc(let channel, let account, _), .streaming(let channel, let account, _),
            .fcdn(let channel, let account, _):
            " in \(Wording.quoted(channel)) for \(account.isEmpty ? "anyone" : Wording.quoted(account))"
        case .rtm(let userID, _), .rtm2(let userID, _, _), .chat(let userID, _):
            userID.isEmpty ? "" : " for \(Wording.quoted(userID))"
        case .apaas(let room, let user, let role, _):
            " in \(Wording.quoted(room)) for \(Wording.quoted(user)), role \(role)"
        case .fpa, .convoAI, .stt: ""
        }
    }
}
