// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import LeaseStore
import StoreFaults
import TokenWorker

/// A worker with a slow store and perhaps one fault, configured by its environment as `agora-token worker` is: the kill
/// test has to find the fault out, and nothing but the fault.
///
/// `AGORA_TEST_FAULT` is `marks-first`, `no-fence` or `none`.
@main
enum FaultyWorker {
    /// How long a claim and a mark take, in microseconds: long enough for kills and renewals to fall into.
    private static let slowness: UInt32 = 200_000

    static func main() throws {
        let environment = ProcessEnvironment.current()
        let configuration = try WorkerConfiguration(SettingSources(flags: [:], environment: environment))
        let worker = try Worker(configuration, parts: WorkerParts()) { database in
            let faulty =
                switch environment["AGORA_TEST_FAULT"] {
                case "marks-first": WrappedDatabase.markingFirst(database)
                case "no-fence": WrappedDatabase.withoutFence(database)
                default: database
                }
            return WrappedDatabase(
                database: faulty,
                afterClaim: { _, claim throws(StoreError) in if !claim.leases.isEmpty { usleep(slowness) } },
                marks: { _, marks throws(StoreError) in
                    usleep(slowness)
                    return marks
                })
        }
        // Only a signal ends it.
        withExtendedLifetime(worker) { while true { sleep(3600) } }
    }
}
