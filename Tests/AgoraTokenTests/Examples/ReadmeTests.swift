// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing

@Suite struct ReadmeTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    /// The program is a target of the package, so it compiles; here it is compared with what the README shows.
    @Test func `The README shows the example program as it is compiled`() throws {
        let program = try String(
            contentsOf: Self.root.appending(path: "Tests/Examples/Token/main.swift"), encoding: .utf8)
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let header = try #require(program.range(of: "import AgoraToken"))
        #expect(readme.contains("```swift\n\(program[header.lowerBound...])```"))
    }
}
