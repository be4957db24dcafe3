// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import TokenWorker

/// Of a name that is there twice a decoder would take one, and an operator would believe in the other.
@Suite struct RepeatedNameTests {
    @Test(arguments: [
        (#"{rules: [], "rules": []}"#, "rules"), (#"{a: 1, b: {a: 2, c: [0, {d: 1, d: 2}]}}"#, "b.c[1].d"),
        (#"{'a': 'x', b: [], /* , b: */ "\u0061": 1}"#, "a"), ("{a: 1, // a: 2\n a: 3}", "a"),
        (#"{a: "}", a: 1}"#, "a"), (#"{a: 'it\'s', a: 1}"#, "a"), ("[{a:1},{a:1},{a:1,a:1}]", "[2].a"),
        ("{a:-1e3,a:.5,}", "a"), (#"{\u0061: 1, a: 2}"#, "a"),
    ]) func isFound(text: String, path: String) throws {
        #expect(RepeatedName.first(in: Array(text.utf8)) == path)
        #expect(throws: ConfigurationError(path, "is given twice")) {
            try ConfigurationTree(text: Array(text.utf8), name: "test.json5")
        }
    }

    @Test(arguments: [
        "{}", "[]", "1", #"{a: {a: {a: 'a'}}, b: "a: 1, a: 2"}"#, "{a: 1, /* a: 2 */ b: 1} // a: 3", "[{a: 1}, {a: 1}]",
        #"{a: "\"", b: "/* ", c: " */", "d'": '"', e: ["a", "a"]}"#, "{a: 'x', b: /**/ 1, c: 2 /***/}",
    ]) func isNotFoundWhereThereIsNone(text: String) throws {
        #expect(RepeatedName.first(in: Array(text.utf8)) == nil)
        _ = try ConfigurationTree(text: Array(text.utf8), name: "test.json5")
    }

    /// In the configuration file, and in the policy inside it.
    @Test(arguments: [
        ("{prefix: 'a', prefix: 'b'}", "prefix"), ("{policy: {rules: [], rules: []}}", "policy.rules"),
        ("{projects: [{appId: 'a', appId: 'b'}]}", "projects[0].appId"),
    ]) func stopsTheStart(text: String, path: String) {
        #expect(throws: ConfigurationError(path, "is given twice (in test.json5)")) {
            try ConfigurationFile(text: Array(text.utf8), name: "test.json5")
        }
    }
}
