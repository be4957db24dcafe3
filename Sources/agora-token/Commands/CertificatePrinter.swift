// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages
import TokenWorker

/// Shows people what rests on each certificate.
struct CertificatePrinter {
    let console: Console

    /// Prints one line for each, and what is to be done about the old ones.
    func print(_ report: CertificateReport) {
        let hasStore = report.now != nil
        let rows = report.entries.map { entry in
            [
                entry.project ?? "?", entry.slot?.rawValue ?? "-", entry.fingerprint, entry.state.rawValue,
                hasStore ? String(entry.liveLeases) : "?", entry.lastEnd.map { RFC3339.text(seconds: $0) } ?? "-",
                release(entry),
            ]
        }
        let titles = ["PROJECT", "SLOT", "FINGERPRINT", "STATE", "LEASES", "LAST END", "CAN GO"]
        for line in TextTable(titles: titles, rows: rows).lines { console.print(line) }
        for entry in report.entries where entry.state != .active {
            for worker in entry.signers {
                console.print("\(worker) still signs with \(entry.fingerprint): send it SIGHUP")
            }
        }
        if !hasStore {
            console.print("without a store nobody knows which workers sign with which; a day after the last of them")
            console.print("has changed to the active certificate, the old one can go")
        }
    }

    private func release(_ entry: CertificateReport.Entry) -> String {
        switch entry.release {
        case .never: "-"
        case .afterWorkers: "not yet"
        case .at(let moment): RFC3339.text(seconds: moment)
        case .now: "now"
        case .unknown: "?"
        }
    }
}
