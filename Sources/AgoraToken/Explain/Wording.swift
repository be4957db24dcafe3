// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Puts values into sentences.
package enum Wording {
    /// Text from a token in quotes, without what could confuse a terminal or fill a log.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars.prefix(80) {
            switch scalar.value {
            case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029, 0x200b..<0x2010, 0x202a..<0x202f, 0x2066..<0x206a:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            case 0x22, 0x5c: result += "\\\(scalar)"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + (text.unicodeScalars.count > 80 ? "…\"" : "\"")
    }

    /// A moment, in seconds since 1970, as UTC.
    package static func moment(_ seconds: UInt64) -> String {
        let clock = seconds % 86_400
        // Days are counted from 1 March of the year 0, so that leap days come last in their year.
        let days = seconds / 86_400 + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return "\(year)-\(two(month < 10 ? month + 3 : month - 9))-\(two(day)) "
            + "\(two(clock / 3_600)):\(two(clock / 60 % 60)):\(two(clock % 60)) UTC"
    }

    /// A number of seconds as a reader would say it.
    static func duration(_ seconds: UInt64) -> String {
        switch seconds {
        case 0..<120: "\(seconds) s"
        case 120..<7_200: "\(seconds / 60) min"
        case 7_200..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }

    private static func two(_ value: UInt64) -> String {
        value < 10 ? "0\(value)" : "\(value)"
    }
}
