// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import TokenMessages

/// Shows how many leases end when.
struct ForecastPrinter {
    /// The longest bar.
    private static let width = 40

    let console: Console
    let json: Bool

    func print(_ forecast: Forecast) {
        guard !json else { return printJSON(forecast) }
        let most = forecast.minutes.map(\.expiries).max() ?? 0
        let rows = forecast.minutes.map { minute in
            let bar = max(1, minute.expiries * Self.width / max(most, 1))
            return [
                RFC3339.text(seconds: minute.start), String(minute.expiries), String(repeating: "#", count: bar),
            ]
        }
        for line in TextTable(titles: ["MINUTE", "EXPIRIES", ""], rows: rows).lines { console.print(line) }
        console.note("\(forecast.total) in all")
    }

    private func printJSON(_ forecast: Forecast) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("now", forecast.now)
        writer.member("total", forecast.total)
        writer.name("minutes")
        writer.beginArray()
        for minute in forecast.minutes {
            writer.beginObject()
            writer.member("startsAt", minute.start)
            writer.member("expiries", minute.expiries)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        console.print(String(decoding: writer.bytes, as: UTF8.self))
    }
}
