// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

extension PostgreSQLLeaseStore: LeaseListing {
    func page(after key: Key?, limit: Int) throws(StoreError) -> LeasePage {
        let values = [PostgreSQLValue(key: key ?? Key(high: 0, low: 0)), PostgreSQLValue(Int64(limit))]
        let rows = try attempt { connection throws(PostgreSQLFailure) in
            try connection.run([.init(name: "page", values: values)])[0]
        }
        var page = LeasePage()
        for index in 0..<rows.count { page.enter(try? Self.row(rows, index), key: rows.key(index, 0)) }
        return page
    }

    func forecast(minutes: Int) throws(StoreError) -> Forecast {
        let span = PostgreSQLValue(Int64(minutes) * 60)
        let (clock, rows) = try attempt { connection throws(PostgreSQLFailure) in
            let results = try connection.run([.init(name: "clock"), .init(name: "forecast", values: [span])])
            return (results[0], results[1])
        }
        var forecast = Forecast(now: clock.integer(0, 0) / 1_000_000)
        for index in 0..<rows.count {
            forecast.minutes.append(
                Forecast.Minute(start: rows.integer(index, 0) * 60, expiries: Int(rows.integer(index, 1))))
        }
        return forecast
    }

    func census(of size: Int) throws(StoreError) -> LeaseCensus {
        let limit = [PostgreSQLValue(Int64(size))]
        let (found, late) = try attempt { connection throws(PostgreSQLFailure) in
            let results = try connection.run([
                .init(name: "census", values: limit), .init(name: "overdue", values: limit),
            ])
            return (results[0], results[1])
        }
        let sample = LeaseCensus.Sample(
            rows: found.integer(0, 0), ended: found.integer(0, 1), cancelled: found.integer(0, 2),
            ending: LeaseCensus.windows.indices.map { found.integer(0, 4 + Int32($0)) }, last: found.key(0, 3))
        return LeaseCensus(
            sample, of: size, overdue: late.integer(0, 0), oldest: late.isNull(0, 1) ? nil : late.integer(0, 1),
            now: late.integer(0, 2))
    }
}
