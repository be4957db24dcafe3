// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import TokenWorker

@Suite struct StoreLocationTests {
    private func location(_ text: String) throws -> StoreLocation {
        try StoreLocation(.init(text: text, origin: "--store"))
    }

    @Test func knowsItsForms() throws {
        #expect(try location("none") == .none)
        #expect(
            try location("sqlite:/var/lib/agora-token/leases.db") == .sqlite(path: "/var/lib/agora-token/leases.db"))
        #expect(try location("sqlite:leases.db") == .sqlite(path: "leases.db"))
    }

    @Test(arguments: [
        ("postgres://u:hunter2@db:5432/leases?sslmode=require", "postgres://db:5432/leases"),
        ("postgresql://db/leases", "postgres://db/leases"), ("postgres://u:hun?ter2@db/x", "postgres://db/x"),
        ("postgres://u:hunter2@[::1]:5432,b/x", "postgres://[::1]:5432,b/x"),
        ("postgres:///x?password=hunter2", "postgres:///x"),
    ]) func showsOfADatabaseURLOnlyWhereItLeads(url: String, shown: String) throws {
        #expect(try location(url) == .postgreSQL(url: url))
        #expect(try location(url).description == shown)
    }

    @Test(arguments: [
        "", "sqlite", "sqlite:", "/var/lib/leases.db", "mysql://root:hunter2@db/x", "password=hunter2 host=db",
        // Not percent-encoded, so that a part of the password reads as another part of the URL.
        "postgres://u:a@hunter2@db/x", "postgres://u:hunter2/a@db/x", "postgres://hunter2/a:b@db/x",
        "postgres://u:1/hunter2?a@db/x", "postgres://u:a@hunter2?a@db/x", "postgres://u:a@db:hunter2/x",
        "postgres://u:hunter2/x",
    ])
    func refusesOthersWithoutRepeatingAPassword(text: String) {
        #expect {
            try location(text)
        } throws: { error in
            "\(error)".hasPrefix("--store: ") && !"\(error)".contains("hunter2")
        }
    }

    @Test func liesInTheStateDirectory() throws {
        let home = ["HOME": "/home/u"]
        #expect(try StoreLocation.standard(home) == .sqlite(path: "/home/u/.local/state/agora-token/leases.db"))
        let systemd = home.merging(["STATE_DIRECTORY": "/var/lib/agora-token"]) { $1 }
        #expect(try StoreLocation.standard(systemd) == .sqlite(path: "/var/lib/agora-token/leases.db"))
        #expect(throws: ConfigurationError.self) { try StoreLocation.standard([:]) }
    }
}
