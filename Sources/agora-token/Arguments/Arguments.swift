// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A command line as parsed against a command's description.
struct Arguments: Sendable {
    /// The operands in order.
    let operands: [String]
    private let values: [String: [String]]

    init(operands: [String] = [], values: [String: [String]] = [:]) {
        self.operands = operands
        self.values = values
    }

    /// Whether a switch was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The value of an option that is given once.
    subscript(_ name: String) -> String? { values[name]?.last }

    /// Every value of an option that may be repeated, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The value of an option as a whole number within `range`.
    ///
    /// - Throws: ``CommandFailure`` with the usage status that names the option, its value and the range.
    func integer<Number: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Number>, of unit: String? = nil
    ) throws(CommandFailure) -> Number? {
        guard let text = self[name] else { return nil }
        guard let number = Number(text), range.contains(number) else {
            let number = unit.map { "number of \($0)" } ?? "number"
            throw CommandFailure(
                .usage,
                "--\(name): \"\(text)\" is not a whole \(number) from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
