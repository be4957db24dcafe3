// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken
import Testing

@Suite struct PrivilegesTests {
    @Test func `Entries are ordered by identifier, whatever the order they came in`() {
        var random = SplitMix64(state: 1)
        for _ in 0..<200 {
            var privileges = Privileges()
            var expected: [UInt16: UInt32] = [:]
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                let id = UInt16.random(in: 0...8, using: &random) * ([1, 1, 1_000].randomElement(using: &random) ?? 1)
                let seconds = UInt32.random(in: 0...9, using: &random)
                let isRemoved = Int.random(in: 0..<4, using: &random) == 0
                privileges[id] = isRemoved ? nil : seconds
                expected[id] = isRemoved ? nil : seconds
            }
            #expect(privileges.count == expected.count)
            #expect(privileges.entries.map(\.id) == expected.keys.sorted())
            #expect(privileges.entries.allSatisfy { expected[$0.id] == $0.seconds })
            for id in expected.keys { #expect(privileges[id] == expected[id]) }
        }
    }

    @Test func `Equal content is equal, and of a repeated identifier the last counts`() {
        var removed: Privileges = [1: 5, 2: 6]
        removed[2] = nil
        #expect(removed == [1: 5])
        #expect(Set([removed, [1: 5]]).count == 1)
        let repeated: Privileges = [7: 1, 7: 2]
        #expect(repeated[7] == 2)
        #expect(repeated.description == "[7: 2]")
        #expect(Privileges().description == "[:]")
    }
}
