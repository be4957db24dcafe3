// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

@Suite struct IdentityTests {
    @Test(arguments: [
        "", "970CA35de60c44645bbae8a215061b3", "970CA35de60c44645bbae8a215061b333", " 970CA35de60c44645bbae8a215061b3",
        "970CA35de60c44645bbae8a215061b3g", "９70CA35de60c44645bbae8a21506",
    ])
    func `Anything but 32 hexadecimal characters is refused, without repeating it`(text: String) {
        #expect(throws: TokenError.invalidAppID(length: text.utf8.count)) { try AppID(text) }
        let error = #expect(throws: TokenError.invalidAppCertificate(length: text.utf8.count)) {
            try AppCertificate(text)
        }
        #expect(text.isEmpty || error?.description.contains(text) == false)
    }

    @Test func `Case and leading zeros are kept`() throws {
        for text in ["00000000000000000000000000000000", "0aBcDeF0123456789abcdef0123456789".dropLast().description] {
            #expect(try AppID(text).description == text)
        }
        #expect(try AppID(String(repeating: "a", count: 32)) != AppID(String(repeating: "A", count: 32)))
    }

    @Test func `A certificate is never shown`() throws {
        let secret = "5CFd2fd1755d40ecb72977518be15d3b"
        let certificate = try AppCertificate(secret)
        var dumped = ""
        dump(certificate, to: &dumped)
        for text in ["\(certificate)", String(reflecting: certificate), dumped, String(describing: [certificate])] {
            #expect(!text.contains(secret))
        }
        // printf %s 5CFd… | sha256sum
        #expect(certificate.fingerprint == Hex.encode(SHA256.hash(secret.utf8).prefix(8)))
    }
}
