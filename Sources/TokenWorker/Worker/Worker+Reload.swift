// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Worker {
    /// Opens the audit's file anew, reads the configuration again, and takes projects, certificates, the policy and the
    /// default lifetime over.
    ///
    /// What is under way is finished as it was begun. A configuration that is wrong in any way changes nothing. Either way
    /// the log says so, and it names what has changed but waits for a new start.
    ///
    /// - Parameter read: gives the settings as they are now.
    /// - Returns: whether the new configuration counts.
    @discardableResult
    package func reload(_ read: () throws(ConfigurationError) -> SettingSources) -> Bool {
        reopenAudit()
        let waiting: [String]
        do throws(ConfigurationError) {
            let sources = try read()
            var new = try WorkerConfiguration(sources)
            waiting = configuration.settings.changes(to: new.settings)
            new.keepWhatWaits(from: configuration)
            let old = rules.current
            var issuer = new.issuer(policies: policies, isAudited: old.isAudited)
            // What is left of each caller's rate is left.
            issuer.planner.limiter = old.planner.limiter
            // The policy first: whatever project is new, no batch has it without the policy that it came with.
            policies.replace(new.policy)
            rules.replace(with: issuer)
            log.line(.info, "reloaded") { fields in
                fields.add("projects", new.projects.all.count)
                let changes = new.projects.changes(from: old.planner.projects)
                fields.add("policy", new.policy.summary)
                fields.add("changes", changes.isEmpty ? nil : changes.joined(separator: "; "))
            }
        } catch {
            log.line(.error, "reload_refused") { fields in
                fields.add("setting", error.setting)
                fields.add("detail", "\(error.problem); the worker goes on with the configuration that it had")
            }
            return false
        }
        if !waiting.isEmpty {
            log.line(.warning, "restart_needed") { fields in
                fields.add("settings", waiting.joined(separator: ", "))
                fields.add("detail", "changed, but counts only from the next start")
            }
        }
        return true
    }
}

extension WorkerConfiguration {
    /// Takes back what a running worker cannot change, as far as its rules are made of it.
    fileprivate mutating func keepWhatWaits(from running: WorkerConfiguration) {
        store = running.store
        names = running.names
        deliveryLimit = running.deliveryLimit
    }
}

extension Projects {
    /// What is otherwise than before, for people; no secret is in it.
    func changes(from old: Projects) -> [String] {
        var changes: [String] = []
        for project in all {
            guard let before = old.project(project.name) else {
                changes.append("\(project.name) is new, \(project.signing)")
                continue
            }
            if before.active != project.active { changes.append("\(project.name) \(project.signing)") }
            let known = Set(before.certificates.map(\.fingerprint))
            let now = Set(project.certificates.map(\.fingerprint))
            for added in project.certificates where !known.contains(added.fingerprint) && added != project.active {
                changes.append("\(project.name) accepts \(added.fingerprint) as well")
            }
            for gone in before.certificates where !now.contains(gone.fingerprint) {
                changes.append("\(project.name) accepts \(gone.fingerprint) no more")
            }
        }
        for gone in old.all where project(gone.name) == nil { changes.append("\(gone.name) is gone") }
        if old.standard?.name != standard?.name { changes.append("the default is \(standard?.name ?? "none")") }
        return changes
    }
}

extension Project {
    /// What signs, for people.
    fileprivate var signing: String { "signs with \(fingerprint), \(active.slot.rawValue)" }
}
