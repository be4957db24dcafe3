// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

extension SQLiteLeaseStore {
    func commitTogether(
        _ operations: ArraySlice<LeaseOperation>, judge: (Int, Lease) -> Judgement
    ) throws(StoreError) -> [LeaseResult] {
        try transaction(.flushed) { () throws(StoreError) in
            var loaded: [LeaseRow] = []
            for key in LeaseBatch.keys(of: operations) {
                if let row = try rows.row(key) { loaded.append(row) }
            }
            for key in LeaseBatch.tokenKeys(of: operations) { loaded += try rows.rows(token: key) }

            var batch = LeaseBatch(now: shared.clock(), loaded: loaded)
            var results: [LeaseResult] = []
            results.reserveCapacity(operations.count)
            for (index, operation) in zip(operations.indices, operations) {
                results.append(try batch.apply(operation) { judge(index, $0) })
            }
            for change in batch.changes { try rows.write(change) }
            return results
        }
    }

    func leases(_ keys: [Key]) throws(StoreError) -> [Lease?] {
        var leases: [Lease?] = []
        for key in keys { leases.append(try rows.row(key)?.lease()) }
        return leases
    }
}
