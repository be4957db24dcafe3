// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension SQLiteLeaseStore {
    func note(_ signers: [Signer]) throws(StoreError) {
        guard !signers.isEmpty else { return }
        let now = shared.clock() / 1_000_000
        try transaction(.logged) { () throws(StoreError) in
            for signer in signers {
                try certificates.note.bind(1, signer.worker)
                try certificates.note.bind(2, signer.appID)
                try certificates.note.bind(3, signer.certificate)
                try certificates.note.bind(4, now)
                try certificates.note.run()
            }
            try certificates.forget.bind(1, now - Signer.memory)
            try certificates.forget.run()
        }
    }

    func certificateUse() throws(StoreError) -> CertificateUse {
        var use = CertificateUse(now: shared.clock() / 1_000_000)
        let leases = certificates.leases
        try leases.bind(1, use.now)
        defer { leases.reset() }
        while try leases.step() {
            use.leases.append(
                CertificateUse.Leases(
                    certificate: leases.text(0), live: Int(leases.integer(1)), lastEnd: leases.integer(2),
                    lastIssue: leases.integer(3)))
        }
        let records = certificates.records
        defer { records.reset() }
        while try records.step() {
            let signer = Signer(worker: records.text(0), appID: records.text(1), certificate: records.text(2))
            use.records.append(
                CertificateUse.Record(signer: signer, firstAt: records.integer(3), lastAt: records.integer(4)))
        }
        return use
    }
}

/// The statements about who signs with what.
final class SQLiteCertificateStatements {
    let note: SQLiteStatement
    let forget: SQLiteStatement
    let leases: SQLiteStatement
    let records: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(StoreError) {
        note = try connection.prepare(
            """
            INSERT INTO signer (worker, app_id, certificate, first_at, last_at) VALUES (?1, ?2, ?3, ?4, ?4)
            ON CONFLICT DO UPDATE SET last_at = max(last_at, excluded.last_at)
            """)
        forget = try connection.prepare("DELETE FROM signer WHERE last_at < ?1")
        leases = try connection.prepare(
            """
            SELECT certificate, count(*), max(expires_at), max(issued_at) FROM lease
            WHERE cancelled = 0 AND expires_at > ?1 GROUP BY certificate ORDER BY certificate
            """)
        records = try connection.prepare(
            """
            SELECT worker, app_id, certificate, first_at, last_at FROM signer
            ORDER BY worker, app_id, certificate
            """)
    }
}
