// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// One thread's connection to the leases in a PostgreSQL database.
///
/// A connection that was lost is replaced at the next call.
final class PostgreSQLLeaseStore: LeaseStore {
    /// How often a transaction is begun again that lost to another.
    private static let mostAttempts = 20

    private let url: String
    private let statements: PostgreSQLStatements
    private var connection: PostgreSQLConnection?

    init(url: String, clock: String) {
        self.url = url
        statements = PostgreSQLStatements(clock: clock)
    }

    /// Connects, if there is no connection.
    @discardableResult
    func connect() throws(StoreError) -> PostgreSQLConnection {
        if let connection { return connection }
        let opened = try PostgreSQLConnection(url: url)
        try PostgreSQLSchema.check(opened)
        do throws(PostgreSQLFailure) {
            // Every statement has an index to use; statistics that have not been gathered yet must not say otherwise.
            // Compiling a plan would take longer than running it.
            try opened.execute("SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan; SET jit = off")
            for (name, sql) in statements.all { try opened.prepare(name, sql) }
        } catch {
            throw error.storeError
        }
        connection = opened
        return opened
    }

    /// Runs `body`, again after a conflict.
    ///
    /// A connection that failed is given up.
    func attempt<R>(_ body: (PostgreSQLConnection) throws(PostgreSQLFailure) -> R) throws(StoreError) -> R {
        var last = PostgreSQLFailure.conflict("")
        for _ in 1...Self.mostAttempts {
            let connection = try connect()
            do throws(PostgreSQLFailure) {
                return try body(connection)
            } catch {
                last = error
            }
            switch last {
            case .conflict, .store(.rejected):
                // Where no transaction is open this is a warning of the server's.
                do throws(PostgreSQLFailure) { _ = try connection.run([.init(name: "rollback")]) } catch {
                    self.connection = nil
                    throw error.storeError
                }
                if case .store(let error) = last { throw error }
            case .store(let error):
                self.connection = nil
                throw error
            }
        }
        throw last.storeError
    }
}
