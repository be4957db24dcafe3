// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import LeaseStore

/// When the store is told what a worker signs with.
///
/// It is told at every change, with what came before, whose last moment that is, and now and then in between: a
/// certificate is old only once nobody is heard to sign with it.
struct SignerDiary: Sendable {
    /// How often the store is told what it knows already.
    static var period: Duration { .seconds(30) }

    private var written: [Signer] = []
    private var failed: [Signer]?
    private var next: ContinuousClock.Instant?

    /// What is to be written now, or `nil`.
    func entry(_ signers: [Signer], at now: ContinuousClock.Instant) -> [Signer]? {
        if let next, now < next, signers == failed ?? written { return nil }
        return signers + written.filter { !signers.contains($0) }
    }

    /// Notes that what ``entry(_:at:)`` gave was written, or not: then it is tried again after a period.
    mutating func note(_ signers: [Signer], wasWritten: Bool, at now: ContinuousClock.Instant) {
        next = now.advanced(by: Self.period)
        failed = wasWritten ? nil : signers
        if wasWritten { written = signers }
    }
}
