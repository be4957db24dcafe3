// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing

@testable import TokenWorker

@Suite struct LogBatchTests {
    private func lines(_ format: LogFormat, _ fill: (inout LogBatch) -> Void) -> [String] {
        var batch = LogBatch(format: format, milliseconds: 1_790_000_000_123)
        fill(&batch)
        return String(decoding: batch.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func eachLineIsOneJSONObject() throws {
        let lines = lines(.json) { batch in
            batch.add(.info, "issued") { fields in
                fields.add("channelName", "a\"\n\u{1}b")
                fields.add("generation", 7)
                fields.add("account", String?.none)
            }
            batch.add(.error, "stopped")
        }
        #expect(lines.count == 2)
        let first = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect(first["time"] as? String == "2026-09-21T14:13:20.123Z")
        #expect(first["level"] as? String == "info")
        #expect(first["event"] as? String == "issued")
        #expect(first["channelName"] as? String == "a\"\n\u{1}b")
        #expect(first["generation"] as? Int == 7)
        #expect(first.count == 5)
    }

    @Test func aTerminalObeysNothingInAField() {
        let lines = lines(.text) { batch in
            batch.add(.warning, "refused") { $0.add("account", "\u{1B}[2Jx y") }
        }
        #expect(lines == ["14:13:20.123 warning: refused account=\"\\u{1B}[2Jx y\""])
    }

    @Test(arguments: [
        ("plain", "plain"), ("", "\"\""), ("a b", "\"a b\""), (#"a" level="x"#, #""a\" level=\"x""#),
        (#"a\"#, #""a\\""#), ("code=1", "\"code=1\""), ("\u{202E}x", #""\u{202E}x""#), ("a\u{A0}b", "\"a\u{A0}b\""),
    ])
    func noFieldLooksLikeAnother(_ value: String, _ shown: String) {
        let lines = lines(.text) { batch in
            batch.add(.info, "issued") { $0.add("account", value) }
        }
        #expect(lines == ["14:13:20.123 issued account=\(shown)"])
    }

    /// Whoever puts a token where a name belongs does not find it in the log.
    @Test(arguments: [LogFormat.json, .text])
    func noFieldHoldsAToken(_ format: LogFormat) {
        let token = "007eJxTYDhuGCT90E3Yo2+N3efJV5hX1K1MZAqae/Sa8UP9VXvOhfArMFiaGzg7GpumpJoZJJuYmJmYJiUlplokGhmaGpgZ"
        let id = String(repeating: "0070089abcdef123", count: 4)
        let lines = lines(format) { batch in
            batch.add(.info, "issued") { fields in
                fields.add("correlationId", "call:\(token)")
                fields.add("account", token)
                fields.add("messageId", id)
            }
        }
        #expect(!lines[0].contains("007eJ") && !lines[0].contains(token.suffix(20)), "\(lines[0])")
        #expect(lines[0].contains("call") && lines[0].contains(id), "\(lines[0])")
    }

    @Test func offWritesNothing() {
        #expect(lines(.off) { $0.add(.error, "x") }.isEmpty)
    }
}
