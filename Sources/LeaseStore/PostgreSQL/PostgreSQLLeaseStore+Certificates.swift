// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension PostgreSQLLeaseStore {
    func note(_ signers: [Signer]) throws(StoreError) {
        guard !signers.isEmpty else { return }
        // In one order, so that no two transactions wait for each other.
        let signers = signers.sorted {
            ($0.worker, $0.appID, $0.certificate) < ($1.worker, $1.appID, $1.certificate)
        }
        let columns = [
            PostgreSQLValue(signers.map { Optional($0.worker) }), PostgreSQLValue(signers.map { Optional($0.appID) }),
            PostgreSQLValue(signers.map { Optional($0.certificate) }),
        ]
        try attempt { connection throws(PostgreSQLFailure) in
            _ = try connection.run([
                .init(name: "begin"), .init(name: "lazily"), .init(name: "note_signers", values: columns),
                .init(name: "commit"),
            ])
            // By itself: others may be forgetting the same ones.
            _ = try connection.run([
                .init(name: "forget_signers", values: [PostgreSQLValue(Signer.memory)])
            ])
        }
    }

    func certificateUse() throws(StoreError) -> CertificateUse {
        let results = try attempt { connection throws(PostgreSQLFailure) in
            try connection.run([
                .init(name: "begin"), .init(name: "scanning"), .init(name: "clock"), .init(name: "certificate_leases"),
                .init(name: "signers"), .init(name: "commit"),
            ])
        }
        let (leases, records) = (results[3], results[4])
        var use = CertificateUse(now: results[2].integer(0, 0) / 1_000_000)
        for row in 0..<leases.count {
            use.leases.append(
                CertificateUse.Leases(
                    certificate: leases.text(row, 0), live: Int(leases.integer(row, 1)),
                    lastEnd: leases.integer(row, 2), lastIssue: leases.integer(row, 3)))
        }
        for row in 0..<records.count {
            let signer = Signer(
                worker: records.text(row, 0), appID: records.text(row, 1), certificate: records.text(row, 2))
            use.records.append(
                CertificateUse.Record(
                    signer: signer, firstAt: records.integer(row, 3), lastAt: records.integer(row, 4)))
        }
        return use
    }
}

extension PostgreSQLStatements {
    /// Those about who signs with what.
    static func certificates(_ clock: String) -> [(name: String, sql: String)] {
        [
            (
                "note_signers",
                """
                INSERT INTO signer (worker, app_id, certificate, first_at, last_at)
                SELECT worker, app_id, certificate, now, now
                FROM unnest($1::text[], $2::text[], $3::text[]) AS r (worker, app_id, certificate),
                  (SELECT \(clock) / 1000000 AS now) AS clock
                ORDER BY worker, app_id, certificate
                ON CONFLICT (worker, app_id, certificate) DO UPDATE SET last_at = greatest(signer.last_at, excluded.last_at)
                """
            ),
            ("forget_signers", "DELETE FROM signer WHERE last_at < (SELECT \(clock) / 1000000) - $1::bigint"),
            // The whole table is read in any case, and best from its beginning to its end.
            ("scanning", "SET LOCAL enable_seqscan = on"),
            (
                "certificate_leases",
                """
                SELECT certificate COLLATE "C", count(*), max(expires_at), max(issued_at) FROM lease
                WHERE NOT cancelled AND expires_at > (SELECT \(clock) / 1000000) GROUP BY 1 ORDER BY 1
                """
            ),
            (
                "signers",
                """
                SELECT worker, app_id, certificate, first_at, last_at FROM signer
                ORDER BY worker COLLATE "C", app_id COLLATE "C", certificate COLLATE "C"
                """
            ),
        ]
    }
}
