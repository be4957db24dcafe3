// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

/// 148 calls of all official builders.
@Suite struct BuilderVectorTests {
    private let vectors: [BuilderVector]

    init() throws {
        vectors = try VectorFile.decode("builders", as: [BuilderVector].self)
    }

    @Test func `Every official builder has one that gives the same token`() throws {
        #expect(vectors.count == 148)
        for vector in vectors {
            #expect(try vector.token == vector.expectedToken, "\(vector.id)")
        }
    }

    @Test func `Tokens inflate to the payload`() throws {
        for vector in vectors {
            guard let payload = vector.payloadHex else { continue }
            let body = try #require(Base64.decode(Array(vector.expectedToken.utf8.dropFirst(3))))
            #expect(Hex.encode(try Zlib.inflate(body)) == payload, "\(vector.id)")
        }
    }
}
