// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The statements of the PostgreSQL store, by name.
///
/// Parameters are arrays of columns, so that a batch is one statement.
struct PostgreSQLStatements {
    /// The name and text of each.
    let all: [(name: String, sql: String)]

    private static let columns = """
        key, generation, own_id, caller, issued_at, expires_at, salt, granted, leads, steps, step, due_at, cancelled, \
        history, token_key, previous_token_key, certificate, trace, renewal
        """
    /// The columns of a row with the name of its table before each.
    private static let qualified = columns.split(separator: ", ").map { "l.\($0)" }.joined(separator: ", ")
    /// The types of the arrays that carry rows.
    private static let arrays = """
        $1::uuid[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[], \
        $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bytea[], $15::uuid[], $16::uuid[], \
        $17::text[], $18::text[], $19::text[]
        """

    /// The number of columns of a row that is selected whole.
    static let columnCount: Int32 = 19

    /// The statements, with `clock` for the time in microseconds since 1970.
    init(clock: String) {
        all = Self.transactions + Self.rows(clock) + Self.steps(clock) + Self.register(clock) + Self.certificates(clock)
    }

    private static let transactions = [
        ("begin", "BEGIN"),
        ("commit", "COMMIT"),
        ("rollback", "ROLLBACK"),
        // Claims and marks may be lost with the server: that costs a second notice with the same id.
        ("lazily", "SET LOCAL synchronous_commit = off"),
    ]

    private static func rows(_ clock: String) -> [(String, String)] {
        [
            // In the order of the keys, as everything that locks more than one row: no two wait for each other.
            ("lock", "SELECT \(columns) FROM lease WHERE key = ANY ($1::uuid[]) ORDER BY key FOR UPDATE"),
            (
                "lock_tokens",
                """
                SELECT \(columns) FROM lease
                WHERE key IN (
                  SELECT key FROM lease WHERE token_key = ANY ($1::uuid[])
                  UNION SELECT key FROM lease WHERE previous_token_key = ANY ($1::uuid[]))
                ORDER BY key FOR UPDATE
                """
            ),
            ("read", "SELECT \(columns) FROM lease WHERE key = ANY ($1::uuid[])"),
            ("clock", "SELECT \(clock)"),
            (
                "insert",
                """
                INSERT INTO lease (\(columns))
                SELECT key, generation, own_id, caller, issued_at, expires_at, salt, granted, leads, steps, step,
                  due_at, cancelled <> 0, history, token_key, previous_token_key, certificate, trace, renewal
                FROM unnest(\(arrays)) AS row (\(columns)) ORDER BY key
                """
            ),
            (
                "update",
                """
                UPDATE lease AS l SET generation = r.generation, own_id = r.own_id, caller = r.caller,
                  issued_at = r.issued_at, expires_at = r.expires_at, salt = r.salt, granted = r.granted,
                  leads = r.leads, steps = r.steps, step = r.step, due_at = r.due_at, cancelled = r.cancelled <> 0,
                  history = r.history, token_key = r.token_key, previous_token_key = r.previous_token_key,
                  certificate = r.certificate, trace = r.trace, renewal = r.renewal, claimed_until = NULL, attempts = 0
                FROM unnest(\(arrays), $20::bigint[]) AS r (\(columns), expected)
                WHERE l.key = r.key AND l.generation = r.expected
                """
            ),
            (
                "delete",
                """
                DELETE FROM lease AS l USING unnest($1::uuid[], $2::bigint[]) AS r (key, generation)
                WHERE l.key = r.key AND l.generation = r.generation
                """
            ),
            ("counts", "SELECT count(*), count(*) FILTER (WHERE cancelled) FROM lease"),
        ]
    }

    /// Those that only people need.
    private static func register(_ clock: String) -> [(String, String)] {
        [
            ("page", "SELECT \(columns) FROM lease WHERE key > $1::uuid ORDER BY key LIMIT $2::bigint"),
            // No lease ends before its next step is due, so those that are due later need not be looked at.
            (
                "forecast",
                """
                WITH clock AS MATERIALIZED (SELECT \(clock) / 1000000 AS now)
                SELECT expires_at / 60, count(*) FROM lease
                WHERE due_at <= (SELECT (now + $1::bigint) * 1000 FROM clock) AND NOT cancelled
                  AND expires_at > (SELECT now FROM clock) AND expires_at <= (SELECT now + $1::bigint FROM clock)
                GROUP BY 1 ORDER BY 1
                """
            ),
        ] + census(clock)
    }

    /// Those of metrics: both read no more than $1 rows, by an index.
    private static func census(_ clock: String) -> [(String, String)] {
        let ending = LeaseCensus.windows.map { window in
            """
            , count(*) FILTER (WHERE NOT cancelled AND expires_at > now AND expires_at <= now + \(window.seconds))
            """
        }.joined()
        return [
            (
                "census",
                """
                WITH clock AS MATERIALIZED (SELECT \(clock) / 1000000 AS now),
                sample AS MATERIALIZED (SELECT key, cancelled, expires_at FROM lease ORDER BY key LIMIT $1::bigint)
                SELECT count(*), count(*) FILTER (WHERE NOT cancelled AND expires_at <= now),
                  count(*) FILTER (WHERE cancelled), (SELECT key FROM sample ORDER BY key DESC LIMIT 1)\(ending)
                FROM sample, clock
                """
            ),
            (
                "overdue",
                """
                WITH clock AS MATERIALIZED (SELECT \(clock) / 1000 AS now)
                SELECT count(*), min(due_at), (SELECT now FROM clock) FROM (
                  SELECT due_at FROM lease WHERE due_at <= (SELECT now - \(LeaseCensus.overdueAfter) FROM clock)
                  ORDER BY due_at LIMIT $1::bigint) AS late
                """
            ),
        ]
    }

    private static func steps(_ clock: String) -> [(String, String)] {
        [
            // The lanes differ in their bounds: $3 and $4 are milliseconds before now. Materialized, so that the limit
            // holds whatever plan is chosen. A suspect, after two claims without a mark, is claimed alone, in its turn.
            (
                "claim",
                """
                WITH clock AS MATERIALIZED (SELECT \(clock) / 1000 AS now),
                due AS MATERIALIZED (
                  SELECT key, due_at, attempts FROM lease
                  WHERE due_at > (SELECT now - $3::bigint FROM clock) AND due_at <= (SELECT now - $4::bigint FROM clock)
                    AND (claimed_until IS NULL OR claimed_until <= (SELECT now FROM clock))
                  ORDER BY due_at LIMIT $1::bigint FOR NO KEY UPDATE SKIP LOCKED),
                ranked AS (
                  SELECT key, row_number() OVER up_to AS number,
                    count(*) FILTER (WHERE attempts >= \(ClaimedLease.attemptsTogether)) OVER up_to AS suspects
                  FROM due WINDOW up_to AS (ORDER BY due_at, key))
                UPDATE lease AS l SET claimed_until = clock.now + $2::bigint, attempts = l.attempts + 1
                FROM ranked AS r, clock
                WHERE l.key = r.key AND (r.suspects = 0 OR r.number = 1)
                RETURNING \(qualified), l.attempts, l.claimed_until, clock.now
                """
            ),
            (
                "next",
                """
                WITH clock AS MATERIALIZED (SELECT \(clock) / 1000 AS now)
                SELECT now, (SELECT due_at FROM lease WHERE due_at > now ORDER BY due_at LIMIT 1) FROM clock
                """
            ),
            ("lock_steps", "SELECT 1 FROM lease WHERE key = ANY ($1::uuid[]) ORDER BY key FOR NO KEY UPDATE"),
            // Generation and step fence a mark: a renewal, a cancellation or another worker may have been here since.
            (
                "advance",
                """
                UPDATE lease AS l SET step = r.next_step, due_at = r.next_due, claimed_until = NULL, attempts = 0
                FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
                  AS r (key, generation, step, next_step, next_due)
                WHERE l.key = r.key AND l.generation = r.generation AND l.step = r.step
                """
            ),
            // The same with other steps, for what is tried again.
            (
                "postpone",
                """
                UPDATE lease AS l SET steps = r.steps, step = r.next_step, due_at = r.next_due, claimed_until = NULL,
                  attempts = 0
                FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
                  AS r (key, generation, step, next_step, next_due, steps)
                WHERE l.key = r.key AND l.generation = r.generation AND l.step = r.step
                """
            ),
            (
                "finish",
                """
                DELETE FROM lease AS l USING unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS r (key, generation, step)
                WHERE l.key = r.key AND l.generation = r.generation AND l.step = r.step
                """
            ),
            // And its own claim fences a release: an outlived one must not end the claim of another worker.
            (
                "release",
                """
                UPDATE lease AS l SET claimed_until = (SELECT \(clock) / 1000) + $5::bigint,
                  attempts = greatest(l.attempts - 1, 0)
                FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[]) AS r (key, generation, step, claim)
                WHERE l.key = r.key AND l.generation = r.generation AND l.step = r.step AND l.claimed_until = r.claim
                """
            ),
        ]
    }
}
