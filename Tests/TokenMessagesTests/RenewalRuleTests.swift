// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("What a renewal changes")
struct RenewalRuleTests {
    @Test("B11: all but the times stays")
    func b11() {
        let old = Samples.grant(privileges: [PrivilegeTime(.publishAudioStream, 300)])
        let new = RenewalRule(renewing: old, issuedAt: 1000, at: 4000, expire: 7200).grant
        #expect(new.scope == old.scope)
        #expect(new.appID == old.appID)
        #expect(new.privileges == old.privileges)
        #expect(new.lifetime == 7200)
    }

    @Test("B12: the end moves on, except within the second of the issue")
    func b12() {
        let old = Samples.grant()
        for now in [1000, 1001, 1500, 4599, 4600, 9000] as [UInt32] {
            let new = RenewalRule(renewing: old, issuedAt: 1000, at: now, expire: nil)
            #expect(new.grant.lifetime == 3600)
            #expect(new.warnings.isEmpty)
            #expect(now == 1000 ? new.grant.end(issuedAt: now) == 4600 : new.grant.end(issuedAt: now) > 4600)
        }
    }

    @Test("B25: no renewal ends a lease earlier, whatever it asks for")
    func b25() {
        for join in [0, 600, 3000] as [UInt32] {
            let old = Samples.grant(privileges: [PrivilegeTime(.joinChannel, join)])
            let oldEnd = old.end(issuedAt: 1000)
            for now in stride(from: UInt32(1000), to: oldEnd, by: 7) {
                for expire in [1, 10, 600, 86_400] as [UInt32] {
                    let new = RenewalRule(renewing: old, issuedAt: 1000, at: now, expire: expire)
                    let end = new.grant.end(issuedAt: now)
                    #expect(now == 1000 ? end >= oldEnd : end > oldEnd)
                    #expect(new.warnings.isEmpty == (new.grant.lifetime == expire))
                    #expect(new.grant.lifetime <= Grant.longestLifetime)
                }
            }
        }
    }

    @Test("A privilege keeps its seconds, counts up to the lifetime, and comes back with a longer one")
    func privileges() {
        let old = Samples.grant(privileges: [PrivilegeTime(.joinChannel, 600)])
        let shorter = RenewalRule(renewing: old, issuedAt: 1000, at: 1590, expire: 300).grant
        #expect(shorter.privileges(issuedAt: 1590).map(\.seconds) == [1890, 1890, 1890, 1890])
        let longer = RenewalRule(renewing: shorter, issuedAt: 1590, at: 1880, expire: 3600).grant
        #expect(longer.privileges(issuedAt: 1880).map(\.seconds) == [2480, 5480, 5480, 5480])
        #expect(longer.end(issuedAt: 1880) == 2480)
    }

    @Test("Twenty renewals in a row each end later")
    func b26() {
        var grant = Samples.grant(lifetime: 40)
        var issuedAt: UInt32 = 1000
        for _ in 0..<20 {
            let end = grant.end(issuedAt: issuedAt)
            let now = end - 30
            grant = RenewalRule(renewing: grant, issuedAt: issuedAt, at: now, expire: nil).grant
            issuedAt = now
            #expect(grant.end(issuedAt: issuedAt) > end)
            #expect(grant.lifetime == 40)
        }
    }
}
