// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing

/// The stores that the conformance suite runs over.
enum StoreKind: String, Sendable, CustomTestStringConvertible, CaseIterable {
    case sqlite, postgresql

    /// The URL of a database for tests; deploy/test sets it.
    static let serverURL = ProcessInfo.processInfo.environment["AGORA_TEST_POSTGRES_URL"]

    /// SQLite, and PostgreSQL where there is a server.
    static let allCases: [StoreKind] = {
        if serverURL != nil { return [.sqlite, .postgresql] }
        print("PostgreSQL is not tested: AGORA_TEST_POSTGRES_URL names no server")
        return [.sqlite]
    }()

    var testDescription: String { rawValue }
}
