// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import AMQP

@Suite struct PublicationCheckTests {
    private func problem(_ change: (inout Publication) -> Void) -> String? {
        var publication = Publication(id: 1, channel: .replies, routingKey: "q", body: [1])
        change(&publication)
        return PublicationCheck.problem(of: publication, frameMax: 131_072)
    }

    @Test func takesWhatFits() {
        #expect(
            problem { publication in
                publication.routingKey = String(repeating: "r", count: 255)
                publication.properties.correlationID = [UInt8](repeating: 255, count: 255)
                publication.properties.headers = ["h": .string(String(repeating: "x", count: 100_000))]
            } == nil)
    }

    @Test("L14: a short string over 255 bytes is found before anything is sent")
    func refusesLongTexts() {
        let fields: [WritableKeyPath<MessageProperties, String?>] = [
            \.contentType, \.contentEncoding, \.type, \.replyTo, \.messageID, \.userID, \.appID,
        ]
        for field in fields {
            // 128 characters of two bytes each: bytes count, not characters.
            #expect(problem { $0.properties[keyPath: field] = String(repeating: "é", count: 128) } != nil)
            #expect(problem { $0.properties[keyPath: field] = String(repeating: "é", count: 127) } == nil)
        }
    }

    @Test("L14: what librabbitmq could not encode")
    func refusesWhatDoesNotFit() {
        #expect(problem { $0.exchange = String(repeating: "e", count: 256) } != nil)
        #expect(problem { $0.routingKey = String(repeating: "r", count: 256) } != nil)
        #expect(problem { $0.properties.correlationID = [UInt8](repeating: 1, count: 399) } != nil)
        #expect(problem { $0.properties.headers = ["h": .string(String(repeating: "x", count: 140_000))] } != nil)
        #expect(problem { $0.properties.headers = [String(repeating: "n", count: 256): .void] } != nil)
        var nested = FieldValue.void
        for _ in 0..<16 { nested = .array([nested]) }
        #expect(problem { $0.properties.headers = ["h": nested] } != nil)
    }

    @Test("L14: the size is counted as it is encoded, to the byte")
    func countsEncodedBytes() {
        // 39 bytes of fixed fields, then 1 + 1 for the name and 1 + 4 for the string's kind and length.
        let limit = 131_072 - 72 - 39 - 7
        #expect(problem { $0.properties.headers = ["h": .string(String(repeating: "x", count: limit))] } == nil)
        #expect(problem { $0.properties.headers = ["h": .string(String(repeating: "x", count: limit + 1))] } != nil)
    }
}
