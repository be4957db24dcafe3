// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension LeaseStore {
    /// Carries operations out together, and by halves when the database refuses a value among them, down to the one
    /// that has it.
    package func commit(
        _ operations: [LeaseOperation], judge: (Int, Lease) -> Judgement
    ) throws(StoreError) -> [LeaseResult] {
        guard !operations.isEmpty else { return [] }
        return try commitHalving(operations[...], judge: judge)
    }

    /// Carries out operations that no policy limits.
    package func commit(_ operations: [LeaseOperation]) throws(StoreError) -> [LeaseResult] {
        try commit(operations) { _, lease in .allowed(certificate: lease.certificate) }
    }

    private func commitHalving(
        _ operations: ArraySlice<LeaseOperation>, judge: (Int, Lease) -> Judgement
    ) throws(StoreError) -> [LeaseResult] {
        let reason: String
        do throws(StoreError) {
            return try commitTogether(operations, judge: judge)
        } catch .rejected(let text) {
            reason = text
        }
        guard operations.count > 1 else { return [.refused(.rejectedByStore(reason))] }
        let middle = operations.startIndex + operations.count / 2
        return try commitHalving(operations[..<middle], judge: judge)
            + commitHalving(operations[middle...], judge: judge)
    }
}
