// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Schedule {
    /// How the database holds it: kind, time and leads of each step, as in `w1790003570+30 e1790003600+0`.
    var text: String {
        var text: [UInt8] = []
        text.reserveCapacity(steps.count * 16)
        for step in steps {
            if !text.isEmpty { text.append(UInt8(ascii: " ")) }
            text.append(UInt8(ascii: step.kind.rawValue))
            Self.add(step.at, to: &text)
            for lead in step.leads {
                text.append(UInt8(ascii: "+"))
                Self.add(lead, to: &text)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func add(_ number: UInt32, to text: inout [UInt8]) {
        text.append(addingCapacity: 10) { output in
            var unit: UInt32 = 1
            while number / unit >= 10 { unit *= 10 }
            while unit > 0 {
                output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / unit % 10))
                unit /= 10
            }
        }
    }

    /// Reads what `text` wrote; `nil` when it is anything else.
    init?(text: String) {
        var reader = StepReader(text)
        steps = []
        repeat {
            guard let step = reader.step() else { return nil }
            steps.append(step)
        } while reader.skip(" ")
        guard reader.isAtEnd else { return nil }
    }
}

/// Reads the steps of a schedule's text, byte by byte: every request for a lease that is there reads one.
private struct StepReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { position == bytes.count }

    /// Goes past a character if it is the next.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func step() -> Step? {
        guard position < bytes.count, let kind = Step.Kind(rawValue: Unicode.Scalar(bytes[position])) else {
            return nil
        }
        position += 1
        guard let at = number() else { return nil }
        var leads: [UInt32] = []
        while skip("+") {
            guard let lead = number(), !at.addingReportingOverflow(lead).overflow else { return nil }
            leads.append(lead)
        }
        return leads.isEmpty ? nil : Step(kind, at: at, leads: leads)
    }

    private mutating func number() -> UInt32? {
        let start = position
        var value: UInt64 = 0
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
            value = value * 10 + UInt64(digit)
            guard value <= UInt32.max else { return nil }
            position += 1
        }
        return position > start ? UInt32(value) : nil
    }
}
