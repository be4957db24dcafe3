// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// The list of reported faults, held against the tests as they are written.
@Suite struct ReportedFaultListTests {
    private static let ids = (1...51).map { String(format: "B%02d", $0) }

    @Test("Every reported fault has a test that carries its id, or a reason why it has none", arguments: ids)
    func isTested(_ id: String) throws {
        switch ReportedFaults.all[id] {
        case nil: Issue.record("\(id) is not in the list")
        case .excluded(let reason): #expect(!reason.isEmpty)
        case .tested(let tests):
            #expect(!tests.isEmpty)
            // The known problems of brokers have ids of the same form.
            let word = try Regex("\\b\(id)\\b(?! of the broker)")
            for test in tests {
                let names = try TestNames.all()[test.contains("/") ? test : "EndToEndTests/\(test)"]
                let carriesID = names?.contains { $0.contains(word) }
                #expect(carriesID == true, "there is no test \(test) with \(id) in its name")
            }
        }
    }

    @Test func namesNothingElse() {
        #expect(Set(ReportedFaults.all.keys) == Set(Self.ids))
    }

    /// The reports themselves, where they lie beside the package, have no id that is not known here.
    @Test func knowsEveryReport() throws {
        let path = TestEnvironment.root + "/../shared/bugs.jsonl"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return }
        struct Report: Decodable { let id: String }
        let reports = try text.split(separator: "\n").map { try JSONDecoder().decode(Report.self, from: Data($0.utf8)) }
        #expect(reports.map(\.id).sorted() == Self.ids)
    }
}
