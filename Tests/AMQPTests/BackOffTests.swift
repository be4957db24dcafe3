// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import AMQP

@Suite struct BackOffTests {
    @Test func doublesUpToTheLongest() {
        var backOff = BackOff(first: .milliseconds(100), longest: .seconds(1))
        let pauses = (0..<6).map { _ in backOff.next(share: 1) }
        #expect(pauses == [100, 200, 400, 800, 1000, 1000].map { .milliseconds($0) })
    }

    @Test("Report32: pauses are spread over half their limit")
    func spreads() {
        var shortest = BackOff(first: .milliseconds(100), longest: .seconds(1))
        #expect(shortest.next(share: 0) == .milliseconds(50))
        let pauses = (0..<200).map { _ in
            var backOff = BackOff(first: .milliseconds(100), longest: .seconds(1))
            return backOff.next()
        }
        #expect(pauses.allSatisfy { $0 >= .milliseconds(50) && $0 <= .milliseconds(100) })
        #expect(Set(pauses).count > 100)
    }

    @Test func beginsAnewAfterASuccess() {
        var backOff = BackOff(first: .milliseconds(100), longest: .seconds(1))
        for _ in 0..<100 { _ = backOff.next(share: 1) }
        #expect(backOff.next(share: 1) == .seconds(1))
        backOff.succeeded()
        #expect(backOff.next(share: 1) == .milliseconds(100))
    }

    @Test func pausesLongAtOnceWhenHurryIsPointless() {
        var backOff = BackOff(first: .milliseconds(100), longest: .seconds(8))
        #expect(backOff.next(longest: true, share: 1) == .seconds(8))
    }
}
