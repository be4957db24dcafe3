// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension MessageFields {
    /// A `leaseId`: `[A-Za-z0-9._:-]{1,64}`.
    ///
    /// - Parameter own: whether the caller names a new lease, which must not look like a generated id.
    /// - Returns: the id, nil if the field is not there.
    /// - Throws: `invalid_lease_id`.
    func leaseID(own: Bool) throws(MessageError) -> String? {
        guard let text = try text(.leaseID, or: .invalidLeaseID) else { return nil }
        guard text.utf8.count <= 64, text.utf8.allSatisfy(Self.isAllowedInLeaseID) else {
            throw MessageError(
                .invalidLeaseID,
                "leaseId is \(Shown.quoted(text)); it must be 1 to 64 characters of A-Z a-z 0-9 . _ : -",
                field: "leaseId")
        }
        guard !own || !text.hasPrefix("l-") else {
            throw MessageError(
                .invalidLeaseID, "leaseId is \(Shown.quoted(text)); ids that begin with l- are the worker's own",
                field: "leaseId")
        }
        return text
    }

    /// What a renewal or cancel is about: exactly one of `token` and `leaseId`.
    func leaseReference() throws(MessageError) -> LeaseReference {
        let token = try text(.token, or: .invalidToken)
        let leaseID = try leaseID(own: false)
        switch (token, leaseID) {
        case (let token?, nil): return .token(token)
        case (nil, let leaseID?): return .leaseID(leaseID)
        case (nil, nil):
            throw MessageError(
                .missingField, "neither token nor leaseId is there; one of them is needed", field: "token")
        case (.some, .some):
            throw MessageError(
                .fieldNotApplicable, "token and leaseId are both there; only one of them may be", field: "leaseId")
        }
    }

    private static func isAllowedInLeaseID(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension LeaseReference {
    func write(to json: inout JSONWriter) {
        switch self {
        case .token(let token): json.member("token", token)
        case .leaseID(let id): json.member("leaseId", id)
        }
    }
}
