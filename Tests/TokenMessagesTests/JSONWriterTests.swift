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
}
