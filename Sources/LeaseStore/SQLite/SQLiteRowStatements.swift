// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// The statements that read and write whole rows.
final class SQLiteRowStatements {
    private static let columns = """
        key, generation, own_id, caller, issued_at, expires_at, salt, granted, leads, steps, step, due_at, cancelled, \
        history, token_key, previous_token_key, certificate, trace, renewal
        """
    /// The columns of a row, to select, and the number of them.
    static let selection = columns
    static let selectionCount: Int32 = 19

    private let byKey: SQLiteStatement
    private let byToken: SQLiteStatement
    private let insertion: SQLiteStatement
    private let change: SQLiteStatement
    private let deletion: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(StoreError) {
        byKey = try connection.prepare("SELECT \(Self.columns) FROM lease WHERE key = ?1")
        byToken = try connection.prepare(
            """
            SELECT \(Self.columns) FROM lease WHERE token_key = ?1
            UNION ALL SELECT \(Self.columns) FROM lease WHERE previous_token_key = ?1
            """)
        insertion = try connection.prepare(
            """
            INSERT INTO lease (\(Self.columns))
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
            """)
        change = try connection.prepare(
            """
            UPDATE lease SET generation = ?2, own_id = ?3, caller = ?4, issued_at = ?5, expires_at = ?6, salt = ?7,
              granted = ?8, leads = ?9, steps = ?10, step = ?11, due_at = ?12, cancelled = ?13, history = ?14,
              token_key = ?15, previous_token_key = ?16, certificate = ?17, trace = ?18,
              renewal = ?19, claimed_until = NULL, attempts = 0
            WHERE key = ?1 AND generation = ?20
            """)
        deletion = try connection.prepare("DELETE FROM lease WHERE key = ?1 AND generation = ?2")
    }

    /// The row with a key.
    func row(_ key: Key) throws(StoreError) -> LeaseRow? {
        try byKey.bind(1, key: key)
        defer { byKey.reset() }
        return try byKey.step() ? try Self.read(byKey) : nil
    }

    /// The rows that have or had a token.
    func rows(token: Key) throws(StoreError) -> [LeaseRow] {
        try byToken.bind(1, key: token)
        defer { byToken.reset() }
        var rows: [LeaseRow] = []
        while try byToken.step() { rows.append(try Self.read(byToken)) }
        return rows
    }

    /// Writes what became of a row.
    func write(_ row: RowChange) throws(StoreError) {
        switch row {
        case .insert(let row):
            try bind(row, to: insertion)
            try insertion.run()
        case .update(let row, let generation):
            try bind(row, to: change)
            try change.bind(20, generation)
            try change.run()
        case .delete(let key, let generation):
            try deletion.bind(1, key: key)
            try deletion.bind(2, generation)
            try deletion.run()
        case .none: break
        }
    }

    private func bind(_ row: LeaseRow, to statement: SQLiteStatement) throws(StoreError) {
        try statement.bind(1, key: row.key)
        try statement.bind(2, row.generation)
        try statement.bind(3, row.ownID)
        try statement.bind(4, row.caller.text)
        try statement.bind(5, Int64(row.issuedAt))
        try statement.bind(6, Int64(row.expiresAt))
        try statement.bind(7, Int64(row.salt))
        try statement.bind(8, utf8: row.grant.bytes)
        try statement.bind(9, RowText.leads(row.leads))
        try statement.bind(10, row.schedule.text)
        try statement.bind(11, Int64(row.step))
        try statement.bind(12, row.dueAt)
        try statement.bind(13, row.isCancelled ? 1 : 0)
        try statement.bind(14, blob: row.history.bytes)
        try statement.bind(15, key: row.tokenKey)
        try statement.bind(16, key: row.previousTokenKey)
        try statement.bind(17, row.certificate)
        try statement.bind(18, row.trace.map(RowText.trace))
        try statement.bind(19, row.renewal?.text)
    }

    /// Reads the row at which a statement that selects `selection` first stands.
    static func read(_ statement: SQLiteStatement) throws(StoreError) -> LeaseRow {
        guard
            let key = Key(statement.bytes(0)), let schedule = Schedule(text: statement.text(9)),
            let leads = RowText.leads(statement.text(8)), let history = RequestHistory(bytes: statement.bytes(13)),
            case let step = Int(clamping: statement.integer(10)), step >= 0
        else { throw .rejected("SQLite: a lease's row cannot be read") }
        return LeaseRow(
            key: key, generation: statement.integer(1), ownID: statement.isNull(2) ? nil : statement.text(2),
            caller: Caller(text: statement.text(3)), issuedAt: UInt32(clamping: statement.integer(4)),
            expiresAt: UInt32(clamping: statement.integer(5)), salt: UInt32(clamping: statement.integer(6)),
            grant: .encoded(statement.bytes(7)), leads: leads, schedule: schedule,
            step: step, dueAt: statement.integer(11),
            isCancelled: statement.integer(12) != 0, history: history, tokenKey: Key(statement.bytes(14)),
            previousTokenKey: Key(statement.bytes(15)), certificate: statement.text(16),
            trace: statement.isNull(17) ? nil : RowText.trace(statement.text(17)),
            renewal: statement.isNull(18) ? nil : RenewalPlan(text: statement.text(18)))
    }
}
