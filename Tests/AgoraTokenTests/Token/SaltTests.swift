// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

@Suite struct SaltTests {
    @Test func `Salts do not repeat, and use all 32 bits`() throws {
        let sample = try Sample()
        let salts = (0..<10_000).map { _ in AccessToken.fpa(appID: sample.appID).salt }
        // Of 10,000 numbers of 32 bits, 12 pairs are equal with a probability far below 10⁻²⁰.
        #expect(Set(salts).count > 9_988)
        #expect(salts.reduce(0, |) == .max)
        #expect(salts.reduce(.max, &) == 0)
    }

    @Test func `Threads never share a workspace`() async throws {
        let sample = try Sample()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<500 {
                        let user = RTCUser.uid(UInt32(task * 1_000 + number))
                        let parsed = try AccessToken.parse(try sample.rtc(user: user))
                        #expect(parsed.isSigned(by: sample.certificate))
                        #expect(
                            parsed.services.first
                                == .rtc(
                                    channel: "test", account: user.packed, privileges: RTCRole.publisher.privileges(0)))
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
