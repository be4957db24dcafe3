// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import LeaseStore

extension StoreLocation {
    /// Makes the tables of the store, or brings them to this program's version.
    ///
    /// - Parameter origin: the setting that says where the store is, for complaints; `nil` for the standard place.
    /// - Returns: one line that says what was done.
    /// - Throws: ``ConfigurationError`` when the store cannot be reached or changed.
    package func migrate(origin: String?) throws(ConfigurationError) -> String {
        do throws(StoreError) {
            switch self {
            case .none: return "there is no store"
            case .sqlite(let path):
                _ = try SQLiteDatabase(path: path)
                return "the tables are there"
            case .postgreSQL(let url):
                let (old, new) = try PostgreSQLDatabase.migrate(url: url)
                return old == new
                    ? "the tables are there, version \(new)" : "the tables went from version \(old) to \(new)"
            }
        } catch {
            throw ConfigurationError(origin ?? Setting.store.variable, "\(self): \(error)")
        }
    }
}
