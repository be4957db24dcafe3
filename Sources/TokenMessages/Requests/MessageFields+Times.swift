// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension MessageFields {
    /// A lifetime or lead in seconds: 1 to 86400, or from a smaller lower bound.
    func seconds(_ name: FieldName, from least: Int64 = 1, or code: ErrorCode) throws(MessageError) -> UInt32? {
        let longest = Int64(Grant.longestLifetime)
        return try integer(name, in: least...longest, or: code, hint: Self.looksLike).map { UInt32($0) }
    }

    /// As ``seconds(_:from:or:)``, for a value of a list or of an object of any names.
    static func seconds(
        _ value: JSONValue, field: String, from least: Int64, or code: ErrorCode
    ) throws(MessageError) -> UInt32 {
        let longest = Int64(Grant.longestLifetime)
        return UInt32(try integer(value, field: field, in: least...longest, or: code, hint: looksLike))
    }

    /// What a number that is no duration in seconds was probably meant as.
    private static func looksLike(_ number: Int64) -> String? {
        switch number {
        case 1_000_000_000..<10_000_000_000: ", which looks like a time since 1970; it is a duration in seconds"
        case 1_000_000_000_000..<10_000_000_000_000:
            ", which looks like a time since 1970 in milliseconds; it is a duration in seconds"
        case 86_401...86_400_000 where number % 1000 == 0: ", which looks like milliseconds; it is in seconds"
        default: nil
        }
    }

    /// The option `notify`.
    func notify() throws(MessageError) -> NotifyOption {
        guard let value = self[.notify] else { return .standard }
        switch value {
        case .bool(false): return .none
        case .object(let members):
            let fields = try MessageFields(members, in: "notify.", known: Self.ofNotify)
            guard let before = fields[.before] else {
                throw MessageError(
                    .missingField, "notify has no before, the seconds before expiry", field: "notify.before")
            }
            return .before(try Self.leads(before))
        default:
            throw MessageError(
                .invalidNotify, "notify is \(Shown(value)); it must be false or an object like {\"before\":[30]}",
                field: "notify")
        }
    }

    private static let ofNotify = FieldNames([.before])

    /// The most leads of one lease.
    private static let mostLeads = 8

    private static func leads(_ value: JSONValue) throws(MessageError) -> [UInt32] {
        guard case .array(let values) = value else {
            throw MessageError(
                .invalidNotify, "notify.before is \(Shown(value)); it must be an array of seconds like [30]",
                field: "notify.before")
        }
        guard values.count <= mostLeads else {
            throw MessageError(
                .invalidNotify, "notify.before has \(values.count) values; it must not have more than \(mostLeads)",
                field: "notify.before")
        }
        var leads: [UInt32] = []
        for value in values {
            leads.append(try seconds(value, field: "notify.before", from: 0, or: .invalidNotify))
        }
        return leads
    }
}
