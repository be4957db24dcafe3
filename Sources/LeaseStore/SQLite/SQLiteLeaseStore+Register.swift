// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

extension SQLiteLeaseStore: LeaseListing {
    func page(after key: Key?, limit: Int) throws(StoreError) -> LeasePage {
        let query = register.page
        try query.bind(1, key: key ?? Key(high: 0, low: 0))
        try query.bind(2, Int64(limit))
        defer { query.reset() }
        var page = LeasePage()
        while try query.step() { page.enter(try? SQLiteRowStatements.read(query), key: Key(query.bytes(0))) }
        return page
    }

    func forecast(minutes: Int) throws(StoreError) -> Forecast {
        let now = shared.clock() / 1_000_000
        let end = now + Int64(minutes) * 60
        let query = register.forecast
        try query.bind(1, end * 1000)
        try query.bind(2, now)
        try query.bind(3, end)
        defer { query.reset() }
        var forecast = Forecast(now: now)
        while try query.step() {
            forecast.minutes.append(
                Forecast.Minute(start: query.integer(0) * 60, expiries: Int(query.integer(1))))
        }
        return forecast
    }
}

extension SQLiteLeaseStore {
    func census(of size: Int) throws(StoreError) -> LeaseCensus {
        let now = shared.clock() / 1000
        let sample = try sample(of: size, now: now / 1000)
        try register.overdue.bind(1, now - LeaseCensus.overdueAfter)
        try register.overdue.bind(2, Int64(size))
        defer { register.overdue.reset() }
        _ = try register.overdue.step()
        return LeaseCensus(
            sample, of: size, overdue: register.overdue.integer(0),
            oldest: register.overdue.isNull(1) ? nil : register.overdue.integer(1), now: now)
    }

    private func sample(of size: Int, now: Int64) throws(StoreError) -> LeaseCensus.Sample {
        let query = register.sample
        try query.bind(1, Int64(size))
        try query.bind(2, now)
        defer { query.reset() }
        _ = try query.step()
        return LeaseCensus.Sample(
            rows: query.integer(0), ended: query.integer(1), cancelled: query.integer(2),
            ending: LeaseCensus.windows.indices.map { query.integer(4 + Int32($0)) }, last: Key(query.bytes(3)))
    }
}

/// The statements that only people need, and metrics.
final class SQLiteRegisterStatements {
    let page: SQLiteStatement
    let forecast: SQLiteStatement
    let sample: SQLiteStatement
    let overdue: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(StoreError) {
        page = try connection.prepare(
            "SELECT \(SQLiteRowStatements.selection) FROM lease WHERE key > ?1 ORDER BY key LIMIT ?2")
        // No lease ends before its next step is due, so those that are due later need not be looked at.
        forecast = try connection.prepare(
            """
            SELECT expires_at / 60, count(*) FROM lease
            WHERE due_at <= ?1 AND expires_at > ?2 AND expires_at <= ?3 AND cancelled = 0 GROUP BY 1 ORDER BY 1
            """)
        // By the index of keys, whatever the planner thinks.
        let ending = LeaseCensus.windows.map { window in
            ", count(*) FILTER (WHERE cancelled = 0 AND expires_at > ?2 AND expires_at <= ?2 + \(window.seconds))"
        }.joined()
        sample = try connection.prepare(
            """
            SELECT count(*), count(*) FILTER (WHERE cancelled = 0 AND expires_at <= ?2),
              count(*) FILTER (WHERE cancelled = 1), max(key)\(ending)
            FROM (SELECT key, cancelled, expires_at FROM lease WHERE key >= x'' ORDER BY key LIMIT ?1)
            """)
        overdue = try connection.prepare(
            """
            SELECT count(*), min(due_at) FROM (SELECT due_at FROM lease WHERE due_at <= ?1 ORDER BY due_at LIMIT ?2)
            """)
    }
}
