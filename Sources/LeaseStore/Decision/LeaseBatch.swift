// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// The rows that a batch of operations touches, and what becomes of them: every decision about leases, without a
/// database.
///
/// A store loads the rows, has the operations applied in order, and writes what changed, each row once.
struct LeaseBatch {
    /// The store's clock, in microseconds since 1970.
    let now: Int64
    /// The rows as the operations so far left them.
    private(set) var rows: [Key: LeaseRow] = [:]
    private var byToken: [Key: Key] = [:]
    /// The generation that each touched row has in the database; `nil` when it is not there.
    private var stored: [Key: Int64?] = [:]

    /// A batch over the rows that `LeaseBatch.keys(of:)` and `tokenKeys(of:)` name, as far as they exist.
    init(now: Int64, loaded: [LeaseRow]) {
        self.now = now
        rows.reserveCapacity(loaded.count)
        for row in loaded { keep(row) }
    }

    /// The store's clock in whole seconds.
    var second: UInt32 { UInt32(clamping: now / 1_000_000) }

    /// Carries one operation out.
    ///
    /// - Throws: `StoreError.rejected` when a row cannot be read.
    mutating func apply(
        _ operation: LeaseOperation, judge: (Lease) -> Judgement
    ) throws(StoreError) -> LeaseResult {
        switch operation {
        case .issue(let order): try issue(order)
        case .renew(let order): try renew(order, judge: judge)
        case .cancel(let order): try cancel(order, judge: judge)
        case .end(let order): end(order)
        }
    }

    /// What has to be written.
    var changes: [RowChange] {
        stored.map { key, generation in
            switch (rows[key], generation) {
            case (let row?, let previous?): .update(row, from: previous)
            case (let row?, nil): .insert(row)
            case (nil, let previous?): .delete(key, generation: previous)
            case (nil, nil): .none
            }
        }
    }

    /// The next generation of a row.
    func generation(after previous: LeaseRow?) -> Int64 {
        max(now, (previous?.generation ?? 0) + 1)
    }

    /// Replaces a row, for later operations of the batch and for the database.
    mutating func put(_ row: LeaseRow) {
        touch(row.key)
        keep(row)
    }

    /// Takes a row away.
    mutating func remove(_ key: Key) {
        touch(key)
        rows[key] = nil
    }

    private mutating func touch(_ key: Key) {
        if stored[key] == nil { stored[key] = .some(rows[key]?.generation) }
    }

    private mutating func keep(_ row: LeaseRow) {
        rows[row.key] = row
        if let token = row.tokenKey { byToken[token] = row.key }
        if let token = row.previousTokenKey { byToken[token] = row.key }
    }

    /// The row that has, or just had, a token.
    func row(token: Key) -> LeaseRow? {
        guard let row = byToken[token].flatMap({ rows[$0] }) else { return nil }
        return row.tokenKey == token || row.previousTokenKey == token ? row : nil
    }
}

/// What a batch does to one row.
indirect enum RowChange: Sendable {
    case insert(LeaseRow)
    case update(LeaseRow, from: Int64)
    case delete(Key, generation: Int64)
    case none
}
