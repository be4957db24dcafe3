// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CSQLite

extension StoreError {
    /// The error that a result code of SQLite means, with SQLite's own words.
    init(sqlite code: Int32, message: String) {
        switch code & 0xff {
        case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE: self = .rejected(message)
        default: self = .unavailable("SQLite: \(message)")
        }
    }
}
