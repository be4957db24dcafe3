// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation

/// The display names of tests, read from their source.
package enum TestNames {
    /// A list of problems, each with what was done about it.
    package enum Entry: Sendable {
        /// The tests, which carry the id in their display names.
        case tested([String])
        /// Why it cannot concern this product.
        case excluded(String)

        package static func tested(_ tests: String...) -> Entry { .tested(tests) }
    }

    /// The display names by `Target/Type.function`.
    package static func all() throws -> [String: [String]] { try collected.get() }

    private static let collected = Result { () throws -> [String: [String]] in
        var names: [String: [String]] = [:]
        let root = TestEnvironment.root + "/Tests"
        let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        let item = try Regex(
            #"(?:struct|class) (\w+)|@Test\(\s*"((?:[^"\\]|\\.)*)"|func (\w+)"#,
            as: (Substring, Substring?, Substring?, Substring?).self)
        for file in files where file.hasSuffix("Tests.swift") {
            let text = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
            let target = file.prefix { $0 != "/" }
            var (type, name): (Substring, Substring?) = ("", nil)
            for match in text.matches(of: item) {
                let (_, newType, newName, function) = match.output
                if let newType, newType.hasSuffix("Tests") { type = newType }
                if let newName { name = newName }
                if let function, let current = name {
                    names["\(target)/\(type).\(function)", default: []].append(String(current))
                    name = nil
                }
            }
        }
        return names
    }
}
