// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Testing
import TokenMessages

@Suite("Notices")
struct NoticeTests {
    private func notice(_ kind: NoticeKind = .willExpire) -> Notice {
        Notice(
            kind: kind, leaseID: "device-1", generation: 1_790_000_000_123_456, caller: Caller(userID: "b", appID: nil),
            appID: Samples.appID, scope: Samples.scope, expiresAt: 1_790_003_600,
            privileges: [PrivilegeTime(.joinChannel, 1_790_003_600)], plannedAt: 1_790_003_570,
            timeMilliseconds: 1_790_003_571_250)
    }

    @Test("A notice is an event of CloudEvents 1.0 in structured JSON")
    func cloudEvent() throws {
        var notice = notice()
        notice.trace = TraceContext(
            traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", tracestate: "v=1")
        notice.missed = [Notice.Missed(kind: .willExpire, plannedAt: 1_790_003_300)]
        let read = try #require(try JSONSerialization.jsonObject(with: Data(notice.encode())) as? NSDictionary)
        let wanted: NSDictionary = [
            "specversion": "1.0", "id": "device-1/1790000000123456/will_expire/1790003570",
            "source": "/agora-token/u-b", "type": "io.agora-token.will_expire.v1", "subject": "device-1",
            "time": "2026-09-21T15:12:51.250Z", "expirytime": "2026-09-21T15:13:20Z",
            "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "tracestate": "v=1",
            "datacontenttype": "application/json",
            "data": [
                "leaseId": "device-1", "generation": 1_790_000_000_123_456, "caller": "u-b", "appId": Samples.appID,
                "service": "rtc", "channelName": "test", "uid": 1234, "expiresAt": 1_790_003_600, "expiresIn": 29,
                "privileges": ["joinChannel": 1_790_003_600], "plannedAt": 1_790_003_570, "lateByMilliseconds": 1250,
                "missed": [["kind": "will_expire", "plannedAt": 1_790_003_300] as [String: Any]], "attempt": 1,
            ] as [String: Any],
        ]
        #expect(read == wanted)
        #expect(notice.routingKey == "will_expire.rtc.u-b")
    }

    @Test("B12: no notice carries a token")
    func b12() {
        let text = String(decoding: notice().encode(), as: UTF8.self)
        #expect(!text.contains("\"token\""))
    }

    @Test("B47: every copy has the same id, however late it is and however often it was tried")
    func b47() {
        var copy = notice()
        copy.timeMilliseconds += 9000
        copy.attempt = 3
        #expect(copy.id == notice().id)
        var next = notice()
        next.generation += 1
        #expect(next.id != notice().id)
        #expect(notice(.expired).id != notice().id)
        #expect(notice().id.utf8.count <= 255)
    }

    @Test("expiresIn is true when sent: rounded up before the end, 0 after it; an early notice is not late")
    func times() {
        var notice = notice()
        notice.timeMilliseconds = 1_790_003_569_001
        #expect(notice.lateByMilliseconds == 0)
        #expect(notice.expiresIn == 31)
        notice.timeMilliseconds = 1_790_003_600_000
        #expect(notice.expiresIn == 0)
        notice.timeMilliseconds = 1_790_009_999_000
        #expect(notice.expiresIn == 0)
    }

    @Test(
        "What tells of an event in its second is not late",
        arguments: [NoticeKind.cancelled, .renewed, .renewalFailed])
    func events(kind: NoticeKind) {
        var notice = notice(kind)
        notice.timeMilliseconds = Int64(notice.plannedAt) * 1000 + 999
        #expect(notice.lateByMilliseconds == 0)
        notice.timeMilliseconds += 5000
        #expect(notice.lateByMilliseconds == 5000)
    }

    @Test("A client reads what a worker writes, and passes over what it does not know", arguments: NoticeKind.allCases)
    func clients(kind: NoticeKind) throws {
        var notice = notice(kind)
        notice.reason = kind == .renewalFailed ? "reply_undeliverable" : nil
        notice.missed = [Notice.Missed(kind: .willExpire, plannedAt: 5)]
        notice.attempt = 2
        #expect(try Notice(notice.encode()) == notice)
        let more = Array("{\"later\":{},".utf8) + notice.encode().dropFirst()
        #expect(try Notice(more) == notice)
        #expect(throws: ReplyError.self) { try Notice(Array("{\"type\":\"io.agora-token.other.v1\"}".utf8)) }
        #expect(throws: ReplyError.self) { try Notice(Array("{}".utf8)) }
    }

    @Test(
        "Times of other years than a worker can write are none",
        arguments: [
            ("1969-12-31T23:59:59.999Z", false), ("1013-09-21T15:03:20.000Z", false), ("0000-01-01T00:00:00Z", false),
            ("1970-01-01T00:00:00.000Z", true), ("9999-12-31T23:59:59.999Z", true), ("9999-12-31T23:59:60Z", false),
        ])
    func years(time: String, isRead: Bool) throws {
        var notice = notice()
        notice.timeMilliseconds = 1_790_000_000_007
        let text = String(decoding: notice.encode(), as: UTF8.self)
        let written = text.replacingOccurrences(of: "\"2026-09-21T14:13:20.007Z\"", with: "\"\(time)\"")
        try #require(written != text)
        let read = try? Notice(Array(written.utf8))
        #expect((read != nil) == isRead)
        if let read { #expect(try Notice(read.encode()) == read) }
    }

    @Test(
        "Times are those that Foundation writes",
        arguments: [
            0, 951_782_399, 951_782_400, 951_868_799, 951_868_800, 1_709_164_800, 1_709_251_199, 1_709_251_200,
            1_735_689_599, 1_735_689_600, 4_107_542_400, 4_294_967_295,
        ] as [UInt32])
    func calendar(seconds: UInt32) throws {
        var notice = notice()
        notice.timeMilliseconds = Int64(seconds) * 1000 + 7
        notice.expiresAt = seconds
        let read = try #require(try JSONSerialization.jsonObject(with: Data(notice.encode())) as? NSDictionary)
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        let whole = ISO8601DateFormatter().string(from: date)
        #expect(read["expirytime"] as? String == whole)
        #expect(read["time"] as? String == whole.dropLast() + ".007Z")
        #expect(try Notice(notice.encode()) == notice)
    }
}
