// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("JSON as Python reads it")
struct JSONAgainstPythonTests {
    @Test("The same texts are accepted, and with the same values", .timeLimit(.minutes(1)))
    func generated() throws {
        var generator = TextGenerator(seed: 20_260_921)
        let texts = (0..<20_000).map { _ in generator.text() }
        let verdicts = try PythonJSON.verdicts(on: texts)
        try #require(verdicts.count == texts.count)
        var accepted = 0
        for (text, verdict) in zip(texts, verdicts) {
            let ours = (try? JSONReader.read(text)).map(canonical)
            if ours != nil { accepted += 1 }
            guard ours != verdict else { continue }
            Issue.record("\(String(decoding: text, as: UTF8.self)): \(ours ?? "refused"), not \(verdict ?? "refused")")
        }
        // The comparison says something only if both kinds are there.
        #expect(accepted > 4_000)
        #expect(texts.count - accepted > 4_000)
    }

    private func canonical(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): "i\(value)"
        case .number(let number): "n" + number.text
        case .string(let text): "s" + hexadecimal(text)
        case .array(let values): "[" + values.map(canonical).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { hexadecimal($0.name) + ":" + canonical($0.value) }.joined(separator: ",") + "}"
        }
    }

    private func hexadecimal(_ text: String) -> String {
        text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// Texts near the grammar of JSON: written by its rules, then half of them damaged.
private struct TextGenerator {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(state: seed) }

    mutating func text() -> [UInt8] {
        var text = space() + value(depth: 0) + space()
        guard pick(2) == 0 else { return text }
        for _ in 0...pick(2) {
            let place = pick(text.count + 1)
            switch pick(4) {
            case 0 where place < text.count: text.remove(at: place)
            case 1 where place < text.count: text[place] = UInt8(pick(256))
            case 2: text.insert(contentsOf: Array(pickOne(Self.fragments).utf8), at: place)
            default: text = Array(text.prefix(place))
            }
        }
        return text
    }

    private static let fragments = [
        "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "1", "null", "true", "NaN", "Infinity",
        "\u{FEFF}",
        "é", "\u{0}", " ", "\t", "\\u", "\\ud800", "\u{A0}", "//", "'", "٣", "1e5", ".0", "+",
    ]

    private mutating func value(depth: Int) -> [UInt8] {
        switch pick(depth > 3 ? 5 : 8) {
        case 0: return Array(pickOne(["null", "true", "false"]).utf8)
        case 1, 2: return number()
        case 3, 4: return string()
        case 5:
            let values = (0..<pick(4)).map { _ in space() + value(depth: depth + 1) + space() }
            return Array("[".utf8) + Array(values.joined(separator: ",".utf8)) + Array("]".utf8)
        default:
            let members = (0..<pick(5)).map { _ in
                space() + string() + space() + Array(":".utf8) + space() + value(depth: depth + 1) + space()
            }
            return Array("{".utf8) + Array(members.joined(separator: ",".utf8)) + Array("}".utf8)
        }
    }

    private mutating func number() -> [UInt8] {
        var text = pickOne(["", "", "-"]) + pickOne(["0", "1", "12", "3600", "4294967296", "9223372036854775807"])
        if pick(3) == 0 { text += pickOne([".0", ".5", ".000", ".10", ".123456789012345678901"]) }
        if pick(3) == 0 {
            text += pickOne(["e", "E"]) + pickOne(["", "+", "-"]) + pickOne(["0", "1", "3", "07", "19"])
        }
        return Array(text.utf8)
    }

    private mutating func string() -> [UInt8] {
        let parts = [
            "a", "b", "channelName", "é", "用", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u0061", "\\u00e9",
            "\\ud83d\\ude00",
            "\\ud83d", "\\ude00", "\\u0000", " ", "{", "\u{7F}",
        ]
        return Array(("\"" + (0..<pick(4)).map { _ in pickOne(parts) }.joined() + "\"").utf8)
    }

    private mutating func space() -> [UInt8] { Array(pickOne(["", "", "", " ", "\n", "\t\r "]).utf8) }

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func pickOne(_ texts: [String]) -> String { texts[pick(texts.count)] }
}
