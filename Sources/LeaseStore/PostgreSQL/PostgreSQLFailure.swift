// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Why a pipeline of statements did not do what it was to do.
enum PostgreSQLFailure: Error, Hashable {
    /// Another transaction was faster, or two waited for each other: the same again may succeed at once.
    case conflict(String)
    /// Anything else.
    case store(StoreError)

    /// What an error of the server means, by its SQLSTATE.
    ///
    /// - Parameters:
    ///   - state: five characters, the first two of which are the class of the error.
    ///   - message: the server's own words.
    ///   - constraint: the constraint that a value broke, if it was one.
    init(state: String, message: String, constraint: String?) {
        let text = "PostgreSQL: \(message) (\(state))"
        switch state {
        case "40001", "40P01": self = .conflict(text)
        case "23505" where constraint == PostgreSQLSchema.keyConstraint: self = .conflict(text)
        default:
            switch state.prefix(2) {
            case "22", "23", "54": self = .store(.rejected(text))
            default: self = .store(.unavailable(text))
            }
        }
    }

    /// The same without hope of a retry.
    var storeError: StoreError {
        switch self {
        case .conflict(let text): .unavailable(text)
        case .store(let error): error
        }
    }
}
