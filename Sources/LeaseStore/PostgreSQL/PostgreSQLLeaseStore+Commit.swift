// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

extension PostgreSQLLeaseStore {
    func commitTogether(
        _ operations: ArraySlice<LeaseOperation>, judge: (Int, Lease) -> Judgement
    ) throws(StoreError) -> [LeaseResult] {
        let keys = PostgreSQLValue(LeaseBatch.keys(of: operations).map(Optional.some))
        let tokens = LeaseBatch.tokenKeys(of: operations)
        return try attempt { connection throws(PostgreSQLFailure) in
            // Two round trips: what is there, locked, and the time after the locks were got; then what changes.
            var commands: [PostgreSQLConnection.Command] = [
                .init(name: "begin"), .init(name: "lock", values: [keys]), .init(name: "clock"),
            ]
            if !tokens.isEmpty {
                let tokens = PostgreSQLValue(tokens.map(Optional.some))
                commands.insert(.init(name: "lock_tokens", values: [tokens]), at: 2)
            }
            let read = try connection.run(commands)
            var loaded: [LeaseRow] = []
            for result in read[1..<read.count - 1] { try Self.read(result, into: &loaded) }

            var batch = LeaseBatch(now: read[read.count - 1].integer(0, 0), loaded: loaded)
            var results: [LeaseResult] = []
            results.reserveCapacity(operations.count)
            do throws(StoreError) {
                for (index, operation) in zip(operations.indices, operations) {
                    results.append(try batch.apply(operation) { judge(index, $0) })
                }
            } catch {
                throw .store(error)
            }
            _ = try connection.run(Self.writes(batch.changes) + [.init(name: "commit")])
            return results
        }
    }

    func leases(_ keys: [Key]) throws(StoreError) -> [Lease?] {
        let values = [PostgreSQLValue(keys.map(Optional.some))]
        let rows = try attempt { connection throws(PostgreSQLFailure) in
            var rows: [LeaseRow] = []
            try Self.read(try connection.run([.init(name: "read", values: values)])[0], into: &rows)
            return rows
        }
        let byKey = Dictionary(rows.map { ($0.key, $0) }) { first, _ in first }
        var leases: [Lease?] = []
        for key in keys { leases.append(try byKey[key]?.lease()) }
        return leases
    }

    /// The statements that write what became of rows.
    private static func writes(_ changes: [RowChange]) -> [PostgreSQLConnection.Command] {
        var inserted: [LeaseRow] = []
        var updated: [LeaseRow] = []
        var expected: [Int64] = []
        var deleted: [(key: Key?, generation: Int64)] = []
        for change in changes {
            switch change {
            case .insert(let row): inserted.append(row)
            case .update(let row, let generation):
                updated.append(row)
                expected.append(generation)
            case .delete(let key, let generation): deleted.append((key, generation))
            case .none: break
            }
        }
        var commands: [PostgreSQLConnection.Command] = []
        if !inserted.isEmpty { commands.append(.init(name: "insert", values: columns(inserted))) }
        if !updated.isEmpty {
            commands.append(.init(name: "update", values: columns(updated) + [PostgreSQLValue(expected)]))
        }
        if !deleted.isEmpty {
            let values = [PostgreSQLValue(deleted.map(\.key)), PostgreSQLValue(deleted.map(\.generation))]
            commands.append(.init(name: "delete", values: values))
        }
        return commands
    }
}
