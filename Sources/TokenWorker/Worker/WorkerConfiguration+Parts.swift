// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import LeaseStore
internal import TokenMessages

extension WorkerConfiguration {
    /// A connection of the worker, named so that the management UI tells which it is.
    func connection(_ part: String) -> ConnectionConfiguration {
        ConnectionConfiguration(
            endpoints: [broker],
            connectionName: "agora-token worker \(ProcessIdentity.host)/\(ProcessIdentity.pid) \(part)")
    }

    /// What reads messages under this configuration.
    func planner(hasStore: Bool) -> MessagePlanner {
        MessagePlanner(
            projects: projects, policy: .everything,
            replyAddress: ReplyAddress(names: names, allowsDirect: directReplyTo == .allow),
            defaultLifetime: defaultLifetime, defaultLeads: [30], hasStore: hasStore)
    }
}

extension StoreLocation {
    /// Opens the database, where there is one.
    ///
    /// - Throws: ``ConfigurationError`` that names the path.
    func openDatabase() throws(ConfigurationError) -> (any LeaseDatabase)? {
        guard case .sqlite(let path) = self else { return nil }
        do throws(StoreError) {
            return try SQLiteDatabase(path: path)
        } catch {
            throw ConfigurationError("store", "\(path): \(error)")
        }
    }
}
