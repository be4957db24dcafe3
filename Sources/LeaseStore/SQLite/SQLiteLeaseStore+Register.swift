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

/// The statements that only people need.
final class SQLiteRegisterStatements {
    let page: SQLiteStatement
    let forecast: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(StoreError) {
        page = try connection.prepare(
            "SELECT \(SQLiteRowStatements.selection) FROM lease WHERE key > ?1 ORDER BY key LIMIT ?2")
        // No lease ends before its next step is due, so those that are due later need not be looked at.
        forecast = try connection.prepare(
            """
            SELECT expires_at / 60, count(*) FROM lease
            WHERE due_at <= ?1 AND expires_at > ?2 AND expires_at <= ?3 AND cancelled = 0 GROUP BY 1 ORDER BY 1
            """)
    }
}
