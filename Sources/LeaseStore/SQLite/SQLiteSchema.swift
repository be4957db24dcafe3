// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The tables of the SQLite store.
enum SQLiteSchema {
    /// The version that this program reads and writes.
    static var version: Int { migrations.count }

    /// Each version is reached from the one before.
    ///
    /// Times are seconds since 1970, those of the schedule milliseconds. `claimed_until` is not indexed, so that a claim
    /// leaves the indexes alone. Neither token nor certificate is stored.
    private static let migrations = [
        """
        CREATE TABLE lease (
          id                 INTEGER PRIMARY KEY,
          key                BLOB    NOT NULL UNIQUE CHECK (length(key) = 16),
          generation         INTEGER NOT NULL,
          own_id             TEXT,
          caller             TEXT    NOT NULL,
          issued_at          INTEGER NOT NULL,
          expires_at         INTEGER NOT NULL CHECK (expires_at > issued_at),
          salt               INTEGER NOT NULL,
          granted            TEXT    NOT NULL,
          leads              TEXT    NOT NULL,
          steps              TEXT    NOT NULL,
          step               INTEGER NOT NULL,
          due_at             INTEGER NOT NULL,
          claimed_until      INTEGER,
          attempts           INTEGER NOT NULL DEFAULT 0,
          cancelled          INTEGER NOT NULL,
          history            BLOB    NOT NULL,
          token_key          BLOB,
          previous_token_key BLOB,
          certificate        TEXT    NOT NULL,
          trace              TEXT
        ) STRICT;
        CREATE INDEX lease_due ON lease (due_at);
        CREATE INDEX lease_token ON lease (token_key) WHERE token_key IS NOT NULL;
        CREATE INDEX lease_previous_token ON lease (previous_token_key) WHERE previous_token_key IS NOT NULL;
        CREATE INDEX lease_cancelled ON lease (cancelled) WHERE cancelled = 1;
        """,
        // How the worker renews the lease by itself.
        "ALTER TABLE lease ADD COLUMN renewal TEXT;",
        // Who signs with which certificate, and until when.
        """
        CREATE TABLE signer (
          worker      TEXT    NOT NULL,
          app_id      TEXT    NOT NULL,
          certificate TEXT    NOT NULL,
          first_at    INTEGER NOT NULL,
          last_at     INTEGER NOT NULL,
          PRIMARY KEY (worker, app_id, certificate)
        ) STRICT, WITHOUT ROWID;
        """,
    ]

    /// Makes the tables if there are none, brings them to this program's version, and checks that.
    ///
    /// - Throws: `StoreError.schema` when they are of a later one.
    static func prepare(_ connection: SQLiteConnection) throws(StoreError) {
        if try found(connection) < version {
            try connection.execute("BEGIN IMMEDIATE")
            do throws(StoreError) {
                // Another process may have done it while this one waited.
                for migration in migrations.dropFirst(try found(connection)) { try connection.execute(migration) }
                if try found(connection) < version { try connection.execute("PRAGMA user_version = \(version)") }
                try connection.execute("COMMIT")
            } catch {
                try? connection.execute("ROLLBACK")
                throw error
            }
        }
        let found = try found(connection)
        guard found == version else { throw .schema(found: found, expected: version) }
    }

    private static func found(_ connection: SQLiteConnection) throws(StoreError) -> Int {
        Int(try connection.integer("PRAGMA user_version"))
    }
}
