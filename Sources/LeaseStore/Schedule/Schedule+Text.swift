// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Schedule {
    /// How the database holds it: kind, time and lead of each step, as in `w1790003570+30 e1790003600+0`.
    var text: String {
        var text = ""
        text.reserveCapacity(steps.count * 16)
        for step in steps {
            if !text.isEmpty { text.append(" ") }
            text.append(step.kind.rawValue)
            text.append(String(step.at))
            text.append("+")
            text.append(String(step.lead))
        }
        return text
    }

    /// Reads what `text` wrote; `nil` when it is anything else.
    init?(text: String) {
        steps = []
        for part in text.split(separator: " ", omittingEmptySubsequences: false) {
            guard let letter = part.first, let kind = Step.Kind(rawValue: letter) else { return nil }
            let numbers = part.dropFirst().split(separator: "+", omittingEmptySubsequences: false)
            guard numbers.count == 2, let at = UInt32(numbers[0]), let lead = UInt32(numbers[1]) else { return nil }
            let (end, overflows) = at.addingReportingOverflow(lead)
            guard !overflows else { return nil }
            steps.append(Step(kind, lead: lead, end: end))
        }
    }
}
