// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import TokenWorker

/// What an operator does not get to see.
@Suite struct RedactedTests {
    private let token =
        "007eJxTYJBf8bj1y0IxqcvbZSxl5v8pUvjMYPBJjcl82q7p/6bzt1y4rcBgae7saGyakmpmkGxiYmaSmJSaaJFoaGZoamRqaGhsnJyq90Iz"

    @Test(arguments: [
        "", #"{"token":"%"}"#, "% and %", #"{"a":"%","b":"%"}"#, "token: %&x=1", "<%>", "%\n",
    ])
    func tokensAreHidden(_ form: String) {
        let shown = Redacted.text(form.replacing("%", with: token))
        #expect(shown == form.replacing("%", with: "(\(token.utf8.count) characters hidden)"))
    }

    @Test func noPieceIsLeftBetweenEscapes() {
        for escaped in [token.replacing("/", with: #"\/"#), token.replacing("/", with: "%2F")] {
            let shown = Redacted.text(#"{"token":"\#(escaped)"}"#)
            #expect(!shown.contains("007eJ") && !shown.contains("Kml") && shown.hasSuffix(#""}"#), "\(shown)")
        }
        #expect(!Redacted.text("5CFd2fd1755d40ecb72977518be15d3b").contains("5CF"), "a certificate")
    }

    @Test func theRestStays() {
        for text in [
            #"{"channelName":"test","uid":1234,"role":1}"#, "abcdefghijklmnopqrstuvwxyzABCDEF", "ä€😀", "a-1_b",
        ] {
            #expect(Redacted.text(text) == text)
        }
    }

    @Test func aTerminalObeysNothing() {
        #expect(Redacted.line("a\u{1B}[2Jb\nc\u{202E}") == #"a\u{1B}[2Jb\nc\u{202E}"#)
    }
}
