// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The tables of the SQLite store.
enum SQLiteSchema {
    /// The version that this program reads and writes.
    static let version = 1

    /// Makes the tables of `version` in an empty file.
    ///
    /// Times are seconds since 1970, those of the schedule milliseconds. `claimed_until` is not indexed, so that a claim
    /// leaves the indexes alone. Neither token nor certificate is stored.
    static let creation = """
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
        PRAGMA user_version = \(version);
        """

    /// Makes the tables if there are none, and checks their version.
    ///
    /// - Throws: `StoreError.schema` when they are of another version.
    static func prepare(_ connection: SQLiteConnection) throws(StoreError) {
        if try connection.integer("PRAGMA user_version") == 0 {
            try connection.execute("BEGIN IMMEDIATE")
            do throws(StoreError) {
                // Another process may have made them while this one waited.
                if try connection.integer("PRAGMA user_version") == 0 { try connection.execute(creation) }
                try connection.execute("COMMIT")
            } catch {
                try? connection.execute("ROLLBACK")
                throw error
            }
        }
        let found = Int(try connection.integer("PRAGMA user_version"))
        guard found == version else { throw .schema(found: found, expected: version) }
    }
}
