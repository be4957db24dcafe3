// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

extension PostgreSQLLeaseStore {
    /// The columns of rows, each as an array, in the order of the statements.
    static func columns(_ rows: [LeaseRow]) -> [PostgreSQLValue] {
        [
            PostgreSQLValue(rows.map { Optional($0.key) }),
            PostgreSQLValue(rows.map(\.generation)),
            PostgreSQLValue(rows.map(\.ownID)),
            PostgreSQLValue(rows.map { Optional($0.caller.text) }),
            PostgreSQLValue(rows.map { Int64($0.issuedAt) }),
            PostgreSQLValue(rows.map { Int64($0.expiresAt) }),
            PostgreSQLValue(rows.map { Int64($0.salt) }),
            PostgreSQLValue(rows.map(\.grant.bytes), isText: true),
            PostgreSQLValue(rows.map { Optional(RowText.leads($0.leads)) }),
            PostgreSQLValue(rows.map { Optional($0.schedule.text) }),
            PostgreSQLValue(rows.map { Int64($0.step) }),
            PostgreSQLValue(rows.map(\.dueAt)),
            PostgreSQLValue(rows.map { $0.isCancelled ? 1 : 0 }),
            PostgreSQLValue(rows.map(\.history.bytes)),
            PostgreSQLValue(rows.map(\.tokenKey)),
            PostgreSQLValue(rows.map(\.previousTokenKey)),
            PostgreSQLValue(rows.map { Optional($0.certificate) }),
            PostgreSQLValue(rows.map { $0.trace.map(RowText.trace) }),
            PostgreSQLValue(rows.map { $0.renewal?.text }),
        ]
    }

    /// Reads all rows of a result that begin with the columns of a lease.
    static func read(_ result: PostgreSQLResult, into rows: inout [LeaseRow]) throws(PostgreSQLFailure) {
        for index in 0..<result.count { rows.append(try row(result, index)) }
    }

    /// Reads one row.
    static func row(_ result: PostgreSQLResult, _ index: Int) throws(PostgreSQLFailure) -> LeaseRow {
        guard
            let key = result.key(index, 0), let schedule = Schedule(text: result.text(index, 9)),
            let leads = RowText.leads(result.text(index, 8)),
            let history = RequestHistory(bytes: result.bytes(index, 13)),
            case let step = Int(clamping: result.integer(index, 10)), step >= 0
        else { throw .store(.rejected("PostgreSQL: a lease's row cannot be read")) }
        return LeaseRow(
            key: key, generation: result.integer(index, 1),
            ownID: result.isNull(index, 2) ? nil : result.text(index, 2),
            caller: Caller(text: result.text(index, 3)), issuedAt: UInt32(clamping: result.integer(index, 4)),
            expiresAt: UInt32(clamping: result.integer(index, 5)), salt: UInt32(clamping: result.integer(index, 6)),
            grant: .encoded(result.bytes(index, 7)), leads: leads, schedule: schedule,
            step: step, dueAt: result.integer(index, 11),
            isCancelled: result.integer(index, 12) != 0, history: history, tokenKey: result.key(index, 14),
            previousTokenKey: result.key(index, 15), certificate: result.text(index, 16),
            trace: result.isNull(index, 17) ? nil : RowText.trace(result.text(index, 17)),
            renewal: result.isNull(index, 18) ? nil : RenewalPlan(text: result.text(index, 18)))
    }
}
