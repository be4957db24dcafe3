// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("Reading JSON")
struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    @Test(
        "A number counts by its value, however it is written",
        arguments: [
            ("1234", 1234), ("1234.0", 1234), ("1e3", 1000), ("1E+3", 1000), ("12.5e1", 125), ("100e-2", 1), ("-0", 0),
            ("0.0e99999999999999999999", 0), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
            ("0.00001e5", 1), ("4294967295.000", 4_294_967_295), ("-1.50e1", -15),
        ])
    func integers(text: String, value: Int64) throws {
        #expect(try read(text) == .integer(value))
    }

    @Test(
        "A fraction is no integer, and neither is what 64 bits do not hold",
        arguments: [
            ("1234.5", false), ("1e-1", false), ("1e-99999999999999999999", false), ("9223372036854775808", true),
            ("-9223372036854775809", true), ("1e400", true), ("18446744073709551616", true),
        ])
    func otherNumbers(text: String, isWhole: Bool) throws {
        guard case .number(let number) = try read(text) else {
            Issue.record("\(text) was taken for something else")
            return
        }
        #expect(number.isWhole == isWhole)
        #expect(number.text == text)
    }

    @Test(
        "Escapes give the characters of RFC 8259",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9""#, "\u{E9}"), (#""\uD83D\uDE00""#, "😀"),
            (#""a\u0000b""#, "a\u{0}b"), ("\"用\"", "用"), (#""\uFFFF""#, "\u{FFFF}"),
        ])
    func escapes(text: String, value: String) throws {
        #expect(try read(text) == .string(value))
    }

    @Test(
        "The place of a fault is the byte at which it is seen",
        arguments: [
            (#"{"a":1,"a":2}"#, 7), (#"{"a":1,"\u0061":2}"#, 7), ("{\"a\" 1}", 5), ("[1,]", 3), ("[1 2]", 3), ("01", 0),
            ("\"abc", 0), ("{'a':1}", 1), ("nul", 0), ("1 2", 2), ("", 0), ("\u{FEFF}{}", 0), ("[\"a\tb\"]", 3),
            ("[\"\u{1F}\"]", 2), ("[\"\\n\u{1F}\"]", 4),
            (#"["\ud800"]"#, 4), (#"["\ud800\u0041"]"#, 4), (#"["\x"]"#, 3), ("[1.]", 3), ("[1e]", 3), ("[-]", 2),
            ("[+1]", 1), ("[.5]", 1), ("NaN", 0), ("//\n{}", 0), ("{\"a\":1,}", 7), ("{", 1), ("[", 1),
        ])
    func faults(text: String, offset: Int) {
        let error = #expect(throws: JSONError.self) { try read(text) }
        #expect(error?.offset == offset)
    }

    @Test(
        "Bytes that are not UTF-8 are refused inside strings",
        arguments: [
            [0xFF], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
        ] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        let body = Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)
        #expect(throws: JSONError.self) { try JSONReader.read(body) }
    }

    @Test("Two names are the same by their bytes only")
    func namesByBytes() throws {
        #expect(throws: Never.self) { try read("{\"\u{E9}\":1,\"e\u{301}\":2}") }
        let many = (0..<40).map { "\"n\($0)\":0" }.joined(separator: ",")
        #expect(throws: Never.self) { try read("{\(many),\"\u{E9}\":1,\"e\u{301}\":2}") }
        #expect(throws: JSONError.self) { try read("{\(many),\"n3\":1}") }
    }

    @Test("Nesting is limited, whatever the depth costs")
    func depth() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try read(nested(JSONReader.maximumDepth)) }
        #expect(throws: JSONError.self) { try read(nested(JSONReader.maximumDepth + 1)) }
        #expect(throws: JSONError.self) { try read(String(repeating: "{\"a\":[", count: 200_000)) }
    }

    @Test("A body of a mebibyte of names takes no quadratic time", .timeLimit(.minutes(1)))
    func manyNames() throws {
        let names = (0..<90_000).map { "\"\($0)\":0" }.joined(separator: ",")
        guard case .object(let members) = try read("{\(names)}") else { return }
        #expect(members.count == 90_000)
    }
}
