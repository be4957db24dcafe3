// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension WorkerConfiguration {
    /// Waits until the SQLite file of the leases is this process's.
    ///
    /// A worker that is only being restarted frees it within seconds.
    ///
    /// - Parameters:
    ///   - patience: how long it waits.
    ///   - isInterrupted: waits so long, and says whether the process is to end.
    /// - Returns: the lock, to be kept for as long as the worker runs; `nil` where there is none to take.
    /// - Throws: ``StoreLockRefusal`` when another worker keeps it.
    package func lockStore(
        for patience: Duration = OwnerWatch.patience, waiting isInterrupted: (Duration) -> Bool
    ) throws(StoreLockRefusal) -> StoreLock? {
        guard case .sqlite(let path) = store else { return nil }
        if storeOrigin == nil { Folder.make(for: path) }
        let end = ContinuousClock.now.advanced(by: patience)
        var isTold = false
        while true {
            switch StoreLock.attempt(path) {
            case .taken(let lock): return lock
            case .impossible(let reason):
                // What is wrong with the place shows when the file itself is opened, with the setting that names it. A lock
                // that is another user's shows nowhere else.
                if StoreLock.isThere(path) {
                    Log(format: log).line(.warning, "store_not_locked") { fields in
                        fields.add("detail", "\(path).lock: \(reason); it keeps no other worker from the leases")
                    }
                }
                return nil
            case .held(let holder):
                let refusal = StoreLockRefusal(path: path, holder: holder)
                guard ContinuousClock.now < end else { throw refusal }
                if !isTold { Log(format: log).line(.warning, "waits") { $0.add("detail", refusal.description) } }
                isTold = true
                if isInterrupted(.milliseconds(100)) { return nil }
            }
        }
    }
}

/// Another worker keeps the SQLite file.
package struct StoreLockRefusal: Error, Hashable, CustomStringConvertible {
    let path: String
    let holder: String

    package var description: String {
        let name = holder.isEmpty ? "" : " (\(holder))"
        return "another worker holds the SQLite leases in \(path)\(name); use PostgreSQL for several workers"
    }
}
