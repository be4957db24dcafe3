// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("Channel names and accounts")
struct AgoraTextTests {
    /// The characters that Agora's documentation of channel names lists.
    private let documented = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !#$%&()+-:;<=.>?@[]^_{}|~,"

    private func body(channel: String) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.member("channelName", channel)
        json.member("uid", 1)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func body(account: String) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.member("channelName", "c")
        json.member("account", account)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("B48: 64 bytes are allowed, one more is not")
    func b48Length() throws {
        for count in [1, 63, 64] {
            let body = body(channel: String(repeating: "a", count: count))
            #expect(throws: Never.self) { try TokenRequest.decode(Array(body.utf8)) }
        }
        let long = Refusal(body(channel: String(repeating: "a", count: 65)), .invalidChannelName, "channelName", "")
        let error = try #require(try long.error(TokenRequest.decode))
        #expect(error.code == .invalidChannelName)
        #expect(error.message.contains("65 bytes"))
        #expect(error.message.contains("64"))
    }

    @Test(
        "B48: the first other character is named with its position",
        arguments: [
            ("räum", "\"ä\" (U+00E4) at position 2"), ("room/1", "\"/\" (U+002F) at position 5"),
            ("room\\1", "(U+005C) at position 5"), (String(repeating: "用", count: 22), "\"用\" (U+7528) at position 1"),
            ("a\"b", "(U+0022) at position 2"), ("a*", "\"*\" (U+002A) at position 2"), ("'", "(U+0027) at position 1"),
            ("a\nb", "(U+000A) at position 2"), ("a\u{0}b", "(U+0000) at position 2"), ("😀", "(U+1F600) at position 1"),
            ("`", "(U+0060) at position 1"), ("a\u{7F}", "(U+007F) at position 2"),
            ("e\u{301}", "(U+0301) at position 2"),
        ])
    func b48Characters(channel: String, says: String) throws {
        let refusal = Refusal(body(channel: channel), .invalidChannelName, "channelName", says)
        let error = try #require(try refusal.error(TokenRequest.decode))
        #expect(error.code == .invalidChannelName)
        #expect(error.field == "channelName")
        #expect(error.message.contains(says), "\(error.message)")
        #expect(error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    }

    @Test("B48: exactly the documented characters are allowed")
    func b48Alphabet() throws {
        #expect(documented.utf8.count == 89)
        for value in UInt8(0)...127 {
            let character = Character(Unicode.Scalar(value))
            let error = try Refusal(body(channel: String(character)), .invalidChannelName, nil, "").error(
                TokenRequest.decode)
            #expect((error == nil) == documented.contains(character), "U+\(String(value, radix: 16))")
        }
    }

    @Test("B49: accounts have the same characters and 255 bytes")
    func b49() throws {
        for (account, isRight) in [
            (String(repeating: "u", count: 255), true), (String(repeating: "u", count: 256), false), ("名", false),
            ("a b", true), ("a\u{0}b", false), ("145824d8-80c1-708f-144f-1b312c6c6742", true),
        ] {
            let error = try Refusal(body(account: account), .invalidAccount, "account", "").error(TokenRequest.decode)
            #expect((error == nil) == isRight, "\(account.utf8.count) bytes")
            if let error {
                #expect(error.code == .invalidAccount)
                #expect(error.field == "account")
            }
        }
    }

    @Test("B49: RTM users have 64 bytes")
    func b49RTM() throws {
        for (count, isRight) in [(64, true), (65, false)] {
            let body = #"{"service":"rtm","userId":"\#(String(repeating: "u", count: count))"}"#
            let error = try Refusal(body, .invalidUserID, "userId", "").error(TokenRequest.decode)
            #expect((error == nil) == isRight)
            #expect(isRight || error?.code == .invalidUserID)
        }
    }
}
