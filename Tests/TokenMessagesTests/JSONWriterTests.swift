// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing
import TokenMessages

@Suite("Writing JSON")
struct JSONWriterTests {
    @Test("Foundation reads what is written")
    func foundation() throws {
        let texts = ["", "plain", "\"\\/\u{0}\u{1}\u{1F}\u{7F}\n\r\t\u{8}\u{C}", "用 é 😀", "\u{2028}"]
        var json = JSONWriter()
        json.beginObject()
        json.member("texts", texts)
        json.member("least", Int64.min)
        json.member("most", UInt64.max)
        json.member("zero", 0)
        json.member("leads", [30, 5] as [UInt32])
        json.member("none", [] as [UInt32])
        json.name("objects")
        json.beginArray()
        for isTrue in [true, false] {
            json.beginObject()
            json.member("is", isTrue)
            json.endObject()
        }
        json.null()
        json.endArray()
        json.endObject()
        let read = try #require(try JSONSerialization.jsonObject(with: Data(json.bytes)) as? NSDictionary)
        let wanted: NSDictionary = [
            "texts": texts, "least": Int64.min, "most": UInt64.max, "zero": 0, "leads": [30, 5], "none": [] as [Int],
            "objects": [["is": true], ["is": false], NSNull()] as [Any],
        ]
        #expect(read == wanted)
    }

    @Test("Numbers read as the standard library writes them, around each power of ten and anywhere else")
    func numbers() throws {
        var random = SplitMix(state: 20_261_130)
        var values: [UInt64] = [0, .max]
        var power: UInt64 = 1
        for _ in 0..<19 {
            power *= 10
            values += [power - 1, power, power + 1]
        }
        for _ in 0..<20_000 { values.append(random.next() >> UInt64.random(in: 0..<64, using: &random)) }
        var json = JSONWriter()
        json.beginArray()
        for value in values { json.integer(value) }
        json.endArray()
        #expect(String(decoding: json.bytes, as: UTF8.self) == "[\(values.map(\.description).joined(separator: ","))]")
    }

    @Test("A text of any length, with and without escapes, is what Foundation reads", arguments: 0...100)
    func lengths(_ length: Int) throws {
        let texts = ["\"", "a"].map { String(repeating: "x", count: length) + $0 }
        var json = JSONWriter()
        json.beginObject()
        for (position, text) in texts.enumerated() { json.member("member\(position)", text) }
        json.endObject()
        let read = try #require(try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: String])
        #expect(read == ["member0": texts[0], "member1": texts[1]])
    }
}
