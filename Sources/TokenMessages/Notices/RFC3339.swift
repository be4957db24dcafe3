// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Times as RFC 3339 writes them in UTC, for the years 1970 to 9999.
package enum RFC3339 {
    /// The last second of the year 9999.
    private static let last: Int64 = 253_402_300_799

    /// A time with milliseconds: `2026-09-21T13:46:40.123Z`.
    package static func text(milliseconds: Int64) -> String {
        let clipped = min(max(milliseconds, 0), last * 1000 + 999)
        var text = date(clipped / 1000)
        text.append(UInt8(ascii: "."))
        digits(clipped % 1000, count: 3, to: &text)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// A time in whole seconds: `2026-09-21T13:46:40Z`.
    package static func text(seconds: Int64) -> String {
        var text = date(min(max(seconds, 0), last))
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a time in UTC; fractions beyond milliseconds are cut.
    ///
    /// - Returns: milliseconds since 1970, or nil for anything else, and for times of other years than can be written.
    static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            bytes.last == UInt8(ascii: "Z"), let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]), (1...12).contains(month), (1...31).contains(day), hour < 24,
            minute < 60, second < 61
        else { return nil }
        var fraction: Int64 = 0
        if bytes.count > 20 {
            guard bytes[19] == UInt8(ascii: "."), bytes.count > 21, number(bytes[20..<(bytes.count - 1)]) != nil else {
                return nil
            }
            let kept = bytes[20..<min(23, bytes.count - 1)]
            fraction = (number(kept) ?? 0) * [100, 10, 1][kept.count - 1]
        }
        let days = daysSince1970(year: year, month: month, day: day)
        let time = (days * 86_400 + hour * 3600 + minute * 60 + second) * 1000 + fraction
        return (0...last * 1000 + 999).contains(time) ? time : nil
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard digits.count <= 18 else { return nil }
        var value: Int64 = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return value
    }

    private static func digits(_ value: Int64, count: Int, to text: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<count { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }

    /// Days of the Gregorian calendar, counted in years that begin with March so that the leap day comes last.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let marchMonth = (month + 9) % 12
        let days = 365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400
        return days + (153 * marchMonth + 2) / 5 + day - 1 - daysTo1970
    }

    /// From March 1 of the year 0 to January 1 of 1970.
    private static let daysTo1970: Int64 = 719_468

    private static func date(_ seconds: Int64) -> [UInt8] {
        let days = seconds / 86_400 + daysTo1970
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        let time = seconds % 86_400
        var text: [UInt8] = []
        text.reserveCapacity(24)
        digits(year, count: 4, to: &text)
        for (mark, value) in [
            ("-", month), ("-", dayOfYear - (153 * marchMonth + 2) / 5 + 1), ("T", time / 3600),
            (":", time / 60 % 60), (":", time % 60),
        ] {
            text.append(contentsOf: mark.utf8)
            digits(value, count: 2, to: &text)
        }
        return text
    }
}
