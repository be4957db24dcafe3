// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The tables of the PostgreSQL store.
///
/// Each version is reached from the one before by a migration, which runs while workers of both are at work: a
/// migration may add, with defaults, but not take away what the version before needs.
enum PostgreSQLSchema {
    /// The version that this program reads and writes.
    static var version: Int { migrations.count }
    /// The oldest program that works with the tables as this program's migrations leave them.
    ///
    /// A program of version 1 does not know the steps of renewals.
    static let oldestProgram = 2
    /// The name of the constraint that keeps a key's row the only one.
    static let keyConstraint = "lease_pkey"
    /// Keeps migrations from running side by side.
    private static let lock = 4_702_111_234_474_983_745

    /// Times are seconds since 1970, those of the schedule milliseconds.
    ///
    /// `claimed_until` is in no index, so that a claim leaves the indexes alone, and pages have room for the new
    /// version of a row. Neither token nor certificate is stored.
    private static let migrations = [
        """
        CREATE TABLE lease (
          key                uuid     NOT NULL CONSTRAINT \(keyConstraint) PRIMARY KEY,
          generation         bigint   NOT NULL,
          own_id             text,
          caller             text     NOT NULL,
          issued_at          bigint   NOT NULL,
          expires_at         bigint   NOT NULL CHECK (expires_at > issued_at),
          salt               bigint   NOT NULL,
          granted            text     NOT NULL,
          leads              text     NOT NULL,
          steps              text     NOT NULL,
          step               bigint   NOT NULL,
          due_at             bigint   NOT NULL,
          claimed_until      bigint,
          attempts           bigint   NOT NULL DEFAULT 0,
          cancelled          boolean  NOT NULL,
          history            bytea    NOT NULL,
          token_key          uuid,
          previous_token_key uuid,
          certificate        text     NOT NULL,
          trace              text
        ) WITH (
          fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 50000,
          autovacuum_vacuum_cost_delay = 0
        );
        CREATE INDEX lease_due ON lease (due_at);
        CREATE INDEX lease_token ON lease (token_key) WHERE token_key IS NOT NULL;
        CREATE INDEX lease_previous_token ON lease (previous_token_key) WHERE previous_token_key IS NOT NULL;
        CREATE INDEX lease_cancelled ON lease (due_at) WHERE cancelled;
        """,
        // How the worker renews the lease by itself.
        "ALTER TABLE lease ADD COLUMN renewal text",
        // Who signs with which certificate, and until when.
        """
        CREATE TABLE signer (
          worker      text   NOT NULL,
          app_id      text   NOT NULL,
          certificate text   NOT NULL,
          first_at    bigint NOT NULL,
          last_at     bigint NOT NULL,
          PRIMARY KEY (worker, app_id, certificate)
        )
        """,
    ]

    /// Brings the tables to this program's version.
    ///
    /// - Returns: the version that was found; 0 where there were no tables.
    static func migrate(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) -> Int {
        try connection.execute("BEGIN; SELECT pg_advisory_xact_lock(\(lock))")
        do throws(PostgreSQLFailure) {
            try connection.execute(
                "CREATE TABLE IF NOT EXISTS lease_schema (version bigint NOT NULL, oldest_program bigint NOT NULL)")
            let found = try read(connection).version
            if found < version {
                for migration in migrations[found...] { try connection.execute(migration) }
                try connection.execute(
                    "DELETE FROM lease_schema; INSERT INTO lease_schema VALUES (\(version), \(oldestProgram))")
            }
            try connection.execute("COMMIT")
            return found
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// Checks that the tables are there, and of a version that this program works with.
    static func check(_ connection: PostgreSQLConnection) throws(StoreError) {
        let found: (version: Int, oldestProgram: Int)
        do throws(PostgreSQLFailure) { found = try read(connection) } catch { throw error.storeError }
        guard found.version >= version, found.oldestProgram <= version else {
            throw .schema(found: found.version, expected: version)
        }
    }

    private static func read(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) -> (
        version: Int, oldestProgram: Int
    ) {
        try connection.prepare("schema_exists", "SELECT to_regclass('lease_schema') IS NOT NULL")
        guard try connection.run([.init(name: "schema_exists")])[0].integer(0, 0) != 0 else { return (0, 0) }
        try connection.prepare("schema_version", "SELECT version, oldest_program FROM lease_schema")
        let rows = try connection.run([.init(name: "schema_version")])[0]
        try connection.execute("DEALLOCATE schema_exists; DEALLOCATE schema_version")
        return rows.count == 0 ? (0, 0) : (Int(rows.integer(0, 0)), Int(rows.integer(0, 1)))
    }
}
