// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import TokenWorker

/// What rules see of a caller is what its leases remember of it.
@Suite struct CallerNameTests {
    @Test(arguments: ["orders", "billing/1", "caf\u{E9}", "a%2Fb", "~", "a~b", "\u{1F600}", "with space", "100%", "-"])
    func namesComeBackFromTheTextOfLeases(name: String) {
        for caller in [Caller.user(name), .app(name)] {
            let read = CallerName(Caller(text: caller.text))
            #expect(read.bytes == Array(name.utf8) && !read.isCut)
            #expect(read.matches(TextPattern(name)) && !read.matches(TextPattern(name + "x")))
        }
        #expect(CallerName(.user(name)).kind == .user && CallerName(.app(name)).kind == .app)
    }

    @Test func nobodyIsNobody() {
        #expect(CallerName(.anonymous).kind == .anonymous)
        #expect(CallerName(Caller(userID: "", appID: "")).kind == .anonymous)
        // No name makes a caller look like one of another kind.
        #expect(CallerName(.user("anonymous")).kind == .user && CallerName(.app("u-root")).kind == .app)
    }

    /// Of a name that is too long for a routing key the text has the beginning and a hash.
    @Test func longNamesAreKnownByTheirHashAndTheirBeginning() {
        let name = "orders-" + String(repeating: "\u{E9}", count: 100)
        let read = CallerName(.user(name))
        #expect(read.isCut)
        #expect(read.matches(TextPattern(name)) && read.matches(TextPattern("*")))
        #expect(read.matches(TextPattern("orders-*")) && !read.matches(TextPattern("order-*")))
        // Another name of the same beginning, and what nobody can know of the rest.
        #expect(!read.matches(TextPattern(name + "x")) && !read.matches(TextPattern("*\u{E9}")))
        #expect(!CallerName(.app(name)).matches(TextPattern("orders-")))
        #expect(CallerName(.app(name)).matches(TextPattern(name)))
    }

    @Test(arguments: ["u-", "u-%", "u-%2", "u-%zz", "a-%41%", "", "u", "x-y", "~", "u-~", "%00"])
    func damagedTextsAreRead(text: String) {
        _ = CallerName(Caller(text: text)).matches(TextPattern("*"))
        #expect(CallerName(Caller(text: text)).bytes.count <= 1)
    }
}
