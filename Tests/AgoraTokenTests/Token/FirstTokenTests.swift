// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

@Suite struct FirstTokenTests {
    @Test func `A stored token parses and verifies`() throws {
        let appID = try AppID("970CA35de60c44645bbae8a215061b33")
        let certificate = try AppCertificate("5CFd2fd1755d40ecb72977518be15d3b")
        let token = AccessToken.rtc(appID: appID, channel: "test", user: 1234, lifetime: 3600)
        let parsed = try AccessToken.parse(try token.signed(with: certificate))
        #expect(parsed.appID == appID)
        #expect(parsed.services == token.services)
        #expect(parsed.isSigned(by: certificate))
        #expect(!parsed.isSigned(by: try AppCertificate("5CFd2fd1755d40ecb72977518be15d3c")))
    }

    @Test func `A token of the official builders parses and verifies`() throws {
        let text =
            "007eJxTYDhuGCT90E3Yo2+N3efJV5hX1K1MZAqae/Sa8UP9VXvOhfArMFiaGzg7GpumpJoZJJuYmJmYJiUlplokGhmaGpgZJhkbu38R"
            + "YIhgYmBgZABhRgYWIAbxmcAkM5hkAZMKDOYp5kbGZqapSZYWxiYWpsaW5qnGqcZplikmZgZJKSmJXAxGFhZGxiaGRubGAKizJcs="
        let parsed = try AccessToken.parse(text)
        #expect(parsed.issuedAt == 1_111_111)
        #expect(parsed.lifetime == 600)
        #expect(parsed.salt == 1)
        #expect(
            parsed.services == [
                .rtc(
                    channel: "7d72365eb983485397e3e3f9d460bdda", account: "2882341273",
                    privileges: [1: 600, 2: 600, 3: 600, 4: 600])
            ])
        #expect(parsed.isSigned(by: try AppCertificate("5CFd2fd1755d40ecb72977518be15d3b")))
    }
}
