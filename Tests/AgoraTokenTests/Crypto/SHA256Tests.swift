// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `Digests of FIPS 180-4`(message: String, digest: String) {
        #expect(Hex.encode(SHA256.hash(message.utf8)) == digest)
        #expect(Hex.encode(SHA256.hash(Array(message.utf8))) == digest)
    }

    @Test func `The long message of FIPS 180-4`() {
        let message = repeatElement(UInt8(ascii: "a"), count: 1_000_000)
        #expect(
            Hex.encode(SHA256.hash(message)) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func `Pieces give the digest of the whole`() {
        let message = (0..<200).map { UInt8($0) }
        for cut in message.indices {
            var hash = SHA256()
            hash.update(message[..<cut])
            hash.update(message[cut...])
            #expect(hash.finalize() == SHA256.hash(message))
        }
    }

    @Test func `A whole array gives the digest of its bytes, wherever the padding falls`() {
        for count in 0...200 {
            let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            var hash = SHA256()
            for byte in message { hash.update([byte]) }
            #expect(SHA256.hash(message) == hash.finalize(), "\(count) bytes")
        }
    }
}
