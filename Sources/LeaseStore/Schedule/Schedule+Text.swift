// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Schedule {
    /// How the database holds it: kind, time and leads of each step, as in `w1790003570+30 e1790003600+0`.
    var text: String {
        var text = ""
        text.reserveCapacity(steps.count * 16)
        for step in steps {
            if !text.isEmpty { text.append(" ") }
            text.append(step.kind.rawValue)
            text.append(String(step.at))
            for lead in step.leads {
                text.append("+")
                text.append(String(lead))
            }
        }
        return text
    }

    /// Reads what `text` wrote; `nil` when it is anything else.
    init?(text: String) {
        steps = []
        for part in text.split(separator: " ", omittingEmptySubsequences: false) {
            guard let letter = part.first, let kind = Step.Kind(rawValue: letter) else { return nil }
            let numbers = part.dropFirst().split(separator: "+", omittingEmptySubsequences: false)
            guard numbers.count > 1, let at = UInt32(numbers[0]) else { return nil }
            var leads: [UInt32] = []
            for number in numbers.dropFirst() {
                guard let lead = UInt32(number), !at.addingReportingOverflow(lead).overflow else { return nil }
                leads.append(lead)
            }
            steps.append(Step(kind, at: at, leads: leads))
        }
    }
}
