// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// The list of known problems, held against the tests as they are written.
@Suite struct KnownProblemsTests {
    private static let ids =
        (1...27).map { String(format: "L%02d", $0) } + (1...22).map { String(format: "B%02d", $0) }
        + (1...34).map { String(format: "Report%02d", $0) }

    @Test("Every known problem has a test that carries its id, or a reason why it has none", arguments: ids)
    func isTested(_ id: String) throws {
        switch KnownProblems.all[id] {
        case nil: Issue.record("\(id) is not in the list")
        case .excluded(let reason): #expect(!reason.isEmpty)
        case .tested(let tests):
            #expect(!tests.isEmpty)
            let word = try Regex("\\b\(id)\\b")
            for test in tests {
                let names = try TestNames.all()[test.contains("/") ? test : "AMQPTests/\(test)"]
                let carriesID = names?.contains { $0.contains(word) }
                #expect(carriesID == true, "there is no test \(test) with \(id) in its name")
            }
        }
    }

    @Test func namesNothingElse() {
        #expect(Set(KnownProblems.all.keys) == Set(Self.ids))
    }
}
