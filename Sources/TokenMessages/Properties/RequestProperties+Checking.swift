// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension RequestProperties {
    /// Refuses what the contract does not have: another version, or a type that this queue does not take.
    ///
    /// - Throws: `unsupported_version`, `unsupported_type` or `invalid_deadline`.
    public func check() throws(MessageError) {
        try checkVersion()
        try checkType()
        _ = try deadlineMilliseconds()
    }

    /// The deadline, nil for a message without one.
    ///
    /// - Returns: Unix milliseconds.
    /// - Throws: `invalid_deadline` for anything that is no such time.
    public func deadlineMilliseconds() throws(MessageError) -> Int64? {
        guard let deadline else { return nil }
        var wanted: String { "it must be a time in Unix milliseconds" }
        guard let number = Self.number(deadline) else {
            throw MessageError(
                .invalidDeadline, "the header deadline is \(Self.shown(deadline)); \(wanted)", field: "deadline")
        }
        guard number >= Self.firstMillisecond else {
            let hint = (1_000_000_000..<10_000_000_000).contains(number) ? ", which looks like seconds" : ""
            throw MessageError(
                .invalidDeadline, "the header deadline is \(number)\(hint); \(wanted)", field: "deadline")
        }
        return number
    }

    /// Refuses a message whose deadline has passed.
    ///
    /// - Parameter now: Unix milliseconds.
    /// - Throws: `deadline_exceeded`; `invalid_deadline` as ``deadlineMilliseconds()``.
    public func checkDeadline(now: Int64) throws(MessageError) {
        guard let deadline = try deadlineMilliseconds(), deadline <= now else { return }
        throw MessageError(
            .deadlineExceeded, "the deadline passed \(now - deadline) ms ago; nothing was signed", field: "deadline")
    }

    /// A deadline before 1973 was meant in other units.
    private static let firstMillisecond: Int64 = 100_000_000_000

    private func checkVersion() throws(MessageError) {
        guard let contractVersion, Self.number(contractVersion) != ReplyProperties.contractVersion else { return }
        throw MessageError(
            .unsupportedVersion,
            "the header contractVersion is \(Self.shown(contractVersion)); only \(ReplyProperties.contractVersion) is "
                + "spoken here", field: "contractVersion")
    }

    private func checkType() throws(MessageError) {
        guard let type, !type.isEmpty, type != kind.type, !isExplanation else { return }
        let other = type == Self.explainType ? .request : MessageKind.allCases.first { $0.type == type }
        let advice = other.map { "; send it with the routing key \($0.routingKey)" } ?? ""
        throw MessageError(
            .unsupportedType, "type is \(Shown.quoted(type)); this queue takes \(kind.type)\(advice)", field: "type")
    }

    /// The number of a header; in digits, too, since some clients send every header as text.
    private static func number(_ value: HeaderValue) -> Int64? {
        switch value {
        case .integer(let number): number
        case .text(let text): Int64(text)
        case .other: nil
        }
    }

    private static func shown(_ value: HeaderValue) -> String {
        switch value {
        case .integer(let number): String(number)
        case .text(let text): Shown.quoted(text)
        case .other: "neither a number nor a text"
        }
    }
}
