// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension MessageFields {
    /// The field `autoRenew`.
    ///
    /// - Parameter notify: which notices the request asks for: a renewal by the worker happens at the first of them.
    /// - Returns: the order, nil if the field is not there.
    /// - Throws: `invalid_auto_renew`, or `field_not_applicable` where there would be nothing to renew or no time for it.
    func autoRenew(notify: NotifyOption) throws(MessageError) -> AutoRenew? {
        let field = shown(.autoRenew)
        guard let value = self[.autoRenew] else { return nil }
        guard case .object(let members) = value else {
            throw MessageError(
                .invalidAutoRenew,
                "\(field) is \(Shown(value)); it must be an object like {\"until\":1790086400}", field: field)
        }
        let fields = try MessageFields(members, in: field + ".", known: Self.ofAutoRenew)
        switch notify {
        case .none:
            throw MessageError(
                .fieldNotApplicable, "\(field) is there with notify false, which makes no lease to renew", field: field)
        case .before([]):
            throw MessageError(
                .fieldNotApplicable,
                "\(field) is there with an empty notify.before; leases are renewed at the first lead", field: field)
        default: break
        }
        let until = try fields.integer(
            .until, in: 1...Int64(UInt32.max), or: .invalidAutoRenew, hint: Self.looksLikeNoSecond)
        guard let until else {
            throw MessageError(
                .missingField, "\(field).until is missing; it is the last second of renewals since 1970",
                field: "\(field).until")
        }
        let most = try fields.integer(.most, in: 1...Int64(UInt32.max), or: .invalidAutoRenew)
        return AutoRenew(
            until: UInt32(until), most: most.map { UInt32($0) },
            replyTo: try fields.text(.replyTo, or: .invalidAutoRenew))
    }

    private static let ofAutoRenew = FieldNames([.until, .most, .replyTo])

    private static func looksLikeNoSecond(_ number: Int64) -> String? {
        (1_000_000_000_000..<10_000_000_000_000).contains(number) ? ", which looks like milliseconds" : nil
    }
}
