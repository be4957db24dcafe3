// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@testable import LeaseStore

@Suite("Schedules")
struct ScheduleTests {
    private let orders = Orders()
    private let issuedAt: UInt32 = 1_790_000_000

    private func offsets(_ schedule: Schedule) -> [String] {
        schedule.steps.map { "\($0.kind.rawValue)\($0.at - issuedAt)" }
    }

    @Test(
        arguments: [
            (3600, [30], ["w3570", "e3600"]),
            (3600, [], ["e3600"]),
            (3600, [30, 300, 60, 30], ["w3300", "w3540", "w3570", "e3600"]),
            (
                86_400, [43_200, 1, 2, 3, 4, 5, 6, 7],
                [
                    "w43200", "w86393", "w86394", "w86395", "w86396", "w86397", "w86398", "w86399", "e86400",
                ]
            ),
            // A lead is at most half of the lifetime, so that a renewal is never due at once again.
            (40, [30], ["w20", "e40"]),
            (60, [3600], ["w30", "e60"]),
            (3, [30], ["w2", "e3"]),
            (2, [30, 1], ["w1", "e2"]),
            // And none at all where half of it is nothing.
            (1, [30], ["e1"]),
            (60, [0], ["e60"]),
            (60, [.max], ["w30", "e60"]),
        ] as [(UInt32, [UInt32], [String])])
    func leads(_ expire: UInt32, _ leads: [UInt32], _ expected: [String]) {
        let schedule = Schedule(grant: orders.grant(expire: expire), issuedAt: issuedAt, leads: leads)
        #expect(offsets(schedule) == expected)
    }

    @Test func aPrivilegeThatEndsEarlierHasANoticeOfItsOwn() {
        let grant = orders.grant(
            expire: 3600, privileges: [.publishAudioStream: 600, .publishVideoStream: 600, .publishDataStream: 900])
        let schedule = Schedule(grant: grant, issuedAt: issuedAt, leads: [60])
        #expect(offsets(schedule) == ["w540", "w840", "w3540", "e3600"])
        #expect(schedule.steps.map { $0.ends.map { $0 - issuedAt } } == [[600], [900], [3600], [3600]])
    }

    @Test func theLeaseEndsWithTheJoinPrivilege() {
        let grant = orders.grant(expire: 3600, privileges: [.joinChannel: 600, .publishAudioStream: 900])
        #expect(offsets(Schedule(grant: grant, issuedAt: issuedAt, leads: [30])) == ["w570", "e600"])
    }

    @Test func noticesOfOneMomentAreOne() {
        let grant = orders.grant(expire: 3600, privileges: [.publishAudioStream: 3570])
        let schedule = Schedule(grant: grant, issuedAt: issuedAt, leads: [30, 60])
        #expect(offsets(schedule) == ["w3510", "w3540", "w3570", "e3600"])
        #expect(schedule.steps[1].ends == [issuedAt + 3570, issuedAt + 3600])
    }

    @Test("B22: notices are spread over the second before they are due, and ends are on time")
    func jitterIsOnlyEarlierAndNeverForTheEnd() {
        var spread: Set<Int64> = []
        for number in 0..<2000 {
            let key = Key.body(Array("\(number)".utf8))
            let schedule = Schedule(grant: orders.grant(expire: 3600), issuedAt: issuedAt, leads: [30, 2])
            for (index, most) in [(0, 1000), (1, 200)] as [(Int, Int64)] {
                let early = Int64(schedule.steps[index].at) * 1000 - schedule.dueAt(index, key: key)
                #expect((0..<most).contains(early))
                if index == 0 { spread.insert(early) }
            }
            #expect(schedule.dueAt(2, key: key) == Int64(schedule.steps[2].at) * 1000)
        }
        #expect(spread.count > 800)
    }

    @Test func theLastOfWhatIsDueCounts() {
        let key = Key.body([])
        let schedule = Schedule(grant: orders.grant(expire: 3600), issuedAt: issuedAt, leads: [300, 60, 30])
        func latest(_ step: Int, _ offset: Int64) -> Int {
            schedule.latestDue(from: step, now: (Int64(issuedAt) + offset) * 1000, key: key)
        }
        #expect(latest(0, 3300) == 0)
        #expect(latest(0, 3540) == 1)
        #expect(latest(1, 3570) == 2)
        #expect(latest(0, 3599) == 2)
        #expect(latest(0, 3600) == 3)
        #expect(latest(2, 1_000_000) == 3)
        // What was claimed was due, whatever the clock says now.
        #expect(latest(2, 0) == 2)
    }

    @Test func aLeaseWithAPlanIsRenewedAtItsFirstLead() {
        func schedule(_ order: AutoRenew, done: UInt32 = 0, leads: [UInt32] = [60, 30]) -> [String] {
            let plan = RenewalPlan(order: order, correlationID: nil, done: done)
            return offsets(
                Schedule(grant: orders.grant(expire: 600), issuedAt: issuedAt, leads: leads, renewal: plan))
        }
        #expect(schedule(AutoRenew(until: .max)) == ["a540", "w540", "w570", "e600"])
        #expect(schedule(AutoRenew(until: issuedAt + 540)) == ["a540", "w540", "w570", "e600"])
        #expect(schedule(AutoRenew(until: issuedAt + 539)) == ["w540", "w570", "e600"])
        #expect(schedule(AutoRenew(until: .max, most: 2), done: 1).first == "a540")
        #expect(schedule(AutoRenew(until: .max, most: 2), done: 2).first == "w540")
        // Without a lead there is no time for it.
        #expect(schedule(AutoRenew(until: .max), leads: []) == ["e600"])
    }

    @Test func aPrivilegeThatEndsEarlierRenewsNothing() {
        let grant = orders.grant(expire: 600, privileges: [.publishAudioStream: 300])
        let plan = RenewalPlan(order: AutoRenew(until: .max), correlationID: nil)
        let schedule = Schedule(
            grant: grant, issuedAt: issuedAt, leads: [30], renewal: plan, opening: [.token, .renewed])
        #expect(offsets(schedule) == ["t0", "r0", "w270", "a570", "w570", "e600"])
    }

    @Test func aDeedInVainIsTriedAgainBetweenTheNotices() {
        let plan = RenewalPlan(order: AutoRenew(until: .max), correlationID: nil)
        let schedule = Schedule(
            grant: orders.grant(expire: 600), issuedAt: issuedAt, leads: [60], renewal: plan,
            opening: [.token, .renewed])
        let later = schedule.postponing(0, to: issuedAt + 550)
        #expect(offsets(later) == ["a540", "w540", "t550", "r550", "e600"])
        #expect(later.isBlocked(0) && !schedule.isBlocked(2))
        #expect(later.steps[2].leads == [1])
        let last = later.postponing(2, to: issuedAt + 600)
        #expect(offsets(last) == ["t600", "r600", "e600"])
        #expect(last.steps[0].leads == [2])
        #expect(Schedule(text: last.text) == last)
    }

    @Test func aPlanIsReadAgain() {
        let order = AutoRenew(until: 5, most: 3, replyTo: "reply.ä b")
        for plan in [
            RenewalPlan(order: order, correlationID: Array("c 1".utf8), done: 2),
            RenewalPlan(order: order, correlationID: [0, 255]), RenewalPlan(order: order, correlationID: nil),
            RenewalPlan(order: order, correlationID: []),
        ] {
            #expect(RenewalPlan(text: plan.text) == plan)
        }
        for text in ["", "1", "1 -", "x - {}", "1 xyz {\"until\":5}", "1 - {}"] {
            #expect(RenewalPlan(text: text) == nil)
        }
    }

    @Test func theTextIsReadAgain() {
        let grant = orders.grant(expire: 3600, privileges: [.publishAudioStream: 3570])
        for schedule in [
            Schedule(grant: grant, issuedAt: issuedAt, leads: [30, 60]),
            Schedule(cancelledAt: issuedAt, until: issuedAt + 9),
        ] {
            #expect(Schedule(text: schedule.text) == schedule)
        }
        #expect(Schedule(cancelledAt: 5, until: 7).text == "c5+0 p7+0")
    }

    @Test(arguments: ["", " ", "w", "w1", "x1+0", "w1+", "w+1", "w1+1 ", "w-1+1", "w1+4294967295", "w99999999999+0"])
    func otherTextIsNone(_ text: String) {
        #expect(Schedule(text: text) == nil)
    }
}
