// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import LeaseStore
internal import Platform
internal import TokenMessages

extension Doctor {
    /// Looks at the store.
    ///
    /// - Returns: what rests on the certificates; `nil` where it cannot be asked.
    func examineStore(_ clocks: inout ClockReadings, _ tell: (Diagnosis) -> Void) -> CertificateUse? {
        // What is wrong with the setting was said before.
        guard let location = try? WorkerConfiguration.store(sources) else { return nil }
        switch location {
        case .none:
            tell(Diagnosis(.ok, .store, "none: there are tokens, but no leases, notices and cancellations"))
            return nil
        case .sqlite(let path):
            let place = StorePlace(path: path, makesFolder: (try? sources.value(of: .store)) == nil)
            place.diagnoses.forEach(tell)
            guard place.isThere, !place.isUnusable else { return nil }
        case .postgreSQL: break
        }
        do throws(StoreError) {
            if let (found, expected) = try location.schemaVersion(), found < expected, case .sqlite = location {
                tell(Diagnosis(.ok, .store, "its tables have version \(found): the worker brings them to \(expected)"))
                return nil
            }
            let store = try location.openListing()
            guard let store else { return nil }
            let before = WallClock.milliseconds()
            let clock = try store.clock() / 1000
            if case .postgreSQL = location {
                clocks.storeAhead = clock - (before + WallClock.milliseconds()) / 2
            }
            tell(StorePlace.latency(try measure(store), location))
            return try store.certificateUse()
        } catch {
            tell(Diagnosis(.fail, .store, "\(location): \(error)", advice: Self.advice(error, location)))
            return nil
        }
    }

    /// The time of a transaction that changes nothing, in milliseconds: the middle one of five.
    private func measure(_ store: any LeaseListing) throws(StoreError) -> Double {
        let nobody = Key(high: 0, low: 0)
        var times: [Duration] = []
        for _ in 0..<5 {
            let start = ContinuousClock.now
            _ = try store.commit([.end(EndOrder(key: nobody, generation: 0))])
            times.append(ContinuousClock.now - start)
        }
        let (seconds, attoseconds) = times.sorted()[2].components
        return Double(seconds) * 1000 + Double(attoseconds) / 1e15
    }

    private static func advice(_ error: StoreError, _ location: StoreLocation) -> String {
        switch error {
        case .schema(let found, let expected) where found > expected:
            "use the program that made these tables, or a later"
        case .schema: "agora-token store migrate makes them, and brings them up to date"
        case .rejected: "see the database's log"
        case .unavailable:
            location.isForOneWorker
                ? "correct the path in DATABASE_URL, and the permissions of the file and its folder"
                : "start the server, or correct host, user and password in DATABASE_URL"
        }
    }
}

extension StoreLocation {
    /// The version of the tables, and the one of this program; `nil` where it is looked at when the store is opened.
    fileprivate func schemaVersion() throws(StoreError) -> (found: Int, expected: Int)? {
        guard case .sqlite(let path) = self else { return nil }
        return try SQLiteDatabase.schemaVersion(at: path)
    }

    fileprivate func openListing() throws(StoreError) -> (any LeaseListing)? {
        switch self {
        case .none: nil
        case .sqlite(let path): try SQLiteDatabase(path: path).openListing()
        case .postgreSQL(let url): try PostgreSQLDatabase(url: url).openListing()
        }
    }
}
