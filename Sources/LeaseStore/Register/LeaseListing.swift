// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import TokenMessages

/// A store that people may look into.
package protocol LeaseListing: LeaseStore {
    /// Leases in the order of their keys, those after `key`, at most `limit`; tombstones and ended ones too.
    func page(after key: Key?, limit: Int) throws(StoreError) -> LeasePage

    /// How many leases end in each of the coming minutes.
    ///
    /// Reads all that have a step before the end of that time: for people, not for a loop.
    func forecast(minutes: Int) throws(StoreError) -> Forecast

    /// Counts the leases, or a sample of `size` where there are more; the price is bounded.
    func census(of size: Int) throws(StoreError) -> LeaseCensus

    /// What rests on each certificate.
    ///
    /// Reads the whole table: for people, not for a loop.
    func certificateUse() throws(StoreError) -> CertificateUse
}
