// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import TokenMessages
import TokenWorker

/// Shows leases, one JSON object a line or as text for people.
struct LeasePrinter {
    let console: Console
    let json: Bool

    /// Prints one line for each.
    func list(_ records: [LeaseRecord]) {
        guard !json else { return records.forEach { printJSON($0.lease, $0) } }
        let rows = records.map { record in
            let lease = record.lease
            return [
                lease.id, lease.caller.text, lease.grant.scope.service.rawValue, Self.user(lease.grant.scope),
                RFC3339.text(seconds: Int64(lease.expiresAt)),
                lease.isCancelled ? "cancelled" : record.next.map { Self.text($0) } ?? "-",
            ]
        }
        let titles = ["LEASE", "CALLER", "SERVICE", "FOR", "ENDS", "NEXT"]
        for line in TextTable(titles: titles, rows: rows).lines { console.print(line) }
    }

    /// Prints one in full.
    func show(_ record: LeaseRecord) {
        let lease = record.lease
        guard !json else { return printJSON(lease, record) }
        var lines: [(String, String)] = [
            ("lease", lease.id), ("caller", lease.caller.text), ("generation", String(lease.generation)),
            ("project", lease.grant.appID), ("service", lease.grant.scope.service.rawValue),
            ("for", Self.user(lease.grant.scope)), ("issued", RFC3339.text(seconds: Int64(lease.issuedAt))),
            ("ends", RFC3339.text(seconds: Int64(lease.expiresAt))),
            ("state", lease.isCancelled ? "cancelled" : "live"),
        ]
        if let plan = lease.renewal {
            let order = plan.order
            let most = order.most.map { " of \($0)" } ?? ""
            lines.append(
                (
                    "renewed",
                    "\(plan.done)\(most) times by the worker, until "
                        + RFC3339.text(seconds: Int64(order.until)) + ", to \(order.replyTo ?? "-")"
                ))
        }
        for (index, step) in lease.schedule.steps.enumerated() where index >= record.step {
            lines.append((index == record.step ? "next" : "then", Self.text(step)))
        }
        for (name, value) in lines {
            console.print(name + String(repeating: " ", count: 12 - name.count) + Self.shown(value))
        }
    }

    /// Says that one was cancelled.
    func cancelled(_ lease: Lease, already: Bool) {
        guard !json else { return printJSON(lease, nil) }
        console.print("\(lease.id) \(already ? "was cancelled before" : "is cancelled")")
    }

    private func printJSON(_ lease: Lease, _ record: LeaseRecord?) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("leaseId", lease.id)
        writer.member("key", lease.key.hex)
        writer.member("caller", lease.caller.text)
        writer.member("generation", lease.generation)
        writer.member("appId", lease.grant.appID)
        lease.grant.scope.write(to: &writer)
        writer.member("issuedAt", lease.issuedAt)
        writer.member("expiresAt", lease.expiresAt)
        writer.member("cancelled", lease.isCancelled)
        if let record {
            writer.member("dueAtMilliseconds", record.dueAt)
            writer.name("steps")
            writer.beginArray()
            for step in lease.schedule.steps.dropFirst(record.step) {
                writer.beginObject()
                writer.member("kind", Self.name(step.kind))
                writer.member("plannedAt", step.at)
                writer.endObject()
            }
            writer.endArray()
        }
        if let plan = lease.renewal {
            writer.name("autoRenew")
            writer.beginObject()
            writer.member("until", plan.order.until)
            if let most = plan.order.most { writer.member("max", most) }
            if let queue = plan.order.replyTo { writer.member("replyTo", queue) }
            writer.member("done", plan.done)
            writer.endObject()
        }
        writer.endObject()
        console.print(String(decoding: writer.bytes, as: UTF8.self))
    }

    /// A name that a caller made up, or a queue; ids and projects stay, though they are as long as secrets.
    private static func shown(_ text: String) -> String { Redacted.printable(Redacted.tokens(text)) }

    private static func text(_ step: Step) -> String { "\(name(step.kind)) \(RFC3339.text(seconds: Int64(step.at)))" }

    private static func name(_ kind: Step.Kind) -> String {
        switch kind {
        case .willExpire: "will_expire"
        case .expired: "expired"
        case .cancelled: "cancelled"
        case .purge: "forget"
        case .renew: "renew"
        case .token: "send_token"
        case .renewed: "renewed"
        }
    }

    /// Channel and user, as far as the service has them.
    private static func user(_ scope: TokenScope) -> String {
        let user =
            switch scope.user {
            case .uid(let uid): String(uid)
            case .account(let text), .userID(let text), .userUUID(let text): text
            case .project: "the project"
            }
        return [scope.channelName ?? scope.roomUUID, user].compactMap(\.self).joined(separator: " ")
    }
}
