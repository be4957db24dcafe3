// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// The statements that claim steps and mark them.
final class SQLiteStepStatements {
    let candidates: SQLiteStatement
    let claim: SQLiteStatement
    let advance: SQLiteStatement
    let postpone: SQLiteStatement
    let finish: SQLiteStatement
    let release: SQLiteStatement
    let next: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(StoreError) {
        candidates = try connection.prepare(
            """
            SELECT \(SQLiteRowStatements.selection), attempts, id FROM lease
            WHERE due_at > ?1 AND due_at <= ?2 AND (claimed_until IS NULL OR claimed_until <= ?3)
            ORDER BY due_at LIMIT ?4
            """)
        claim = try connection.prepare("UPDATE lease SET claimed_until = ?2, attempts = ?3 WHERE id = ?1")
        // Generation and step fence a mark: a renewal, a cancellation or another worker may have been here since.
        advance = try connection.prepare(
            """
            UPDATE lease SET step = ?4, due_at = ?5, claimed_until = NULL, attempts = 0
            WHERE key = ?1 AND generation = ?2 AND step = ?3
            """)
        // The same with other steps, for what is tried again.
        postpone = try connection.prepare(
            """
            UPDATE lease SET step = ?4, due_at = ?5, steps = ?6, claimed_until = NULL, attempts = 0
            WHERE key = ?1 AND generation = ?2 AND step = ?3
            """)
        finish = try connection.prepare("DELETE FROM lease WHERE key = ?1 AND generation = ?2 AND step = ?3")
        // And its own claim fences a release: an outlived one must not end the claim of another worker.
        release = try connection.prepare(
            """
            UPDATE lease SET claimed_until = ?5, attempts = max(attempts - 1, 0)
            WHERE key = ?1 AND generation = ?2 AND step = ?3 AND claimed_until = ?4
            """)
        next = try connection.prepare("SELECT due_at FROM lease WHERE due_at > ?1 ORDER BY due_at LIMIT 1")
    }
}
