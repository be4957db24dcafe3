// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("Properties of requests")
struct RequestPropertiesTests {
    private func error(_ change: (inout RequestProperties) -> Void) -> MessageError? {
        var properties = RequestProperties(kind: .request)
        change(&properties)
        do {
            try properties.check()
            return nil
        } catch {
            return error
        }
    }

    @Test("Each queue takes its own type, and none at all")
    func types() {
        for kind in MessageKind.allCases {
            for type in ["token.request", "token.renew", "token.cancel"] {
                let error = error {
                    $0.kind = kind
                    $0.type = type
                }
                #expect((error == nil) == (type == kind.type))
                if let error {
                    #expect(error.code == .unsupportedType)
                    #expect(error.field == "type")
                }
            }
            #expect(error { $0.kind = kind } == nil)
        }
        #expect(error { $0.type = "token.explain" } == nil, "which comes on the queue of requests")
        #expect(error { $0.type = "token.issued" }?.code == .unsupportedType)
        #expect(error { $0.type = "token.renew" }?.message.contains("routing key renew") == true)
    }

    @Test("Version 1 is spoken, as a number or in digits, and no other")
    func versions() {
        #expect(error { $0.contractVersion = .integer(1) } == nil)
        #expect(error { $0.contractVersion = .text("1") } == nil)
        for value in [HeaderValue.integer(2), .integer(0), .text("2"), .text("one"), .text(""), .other] {
            let error = error { $0.contractVersion = value }
            #expect(error?.code == .unsupportedVersion)
            #expect(error?.field == "contractVersion")
        }
    }

    @Test("B32: nothing is done for a deadline that has passed")
    func b32() {
        var properties = RequestProperties(kind: .request)
        let now: Int64 = 1_790_000_000_000
        #expect(throws: Never.self) { try properties.checkDeadline(now: now) }
        properties.deadline = .integer(now + 1)
        #expect(throws: Never.self) { try properties.checkDeadline(now: now) }
        for passed in [HeaderValue.integer(now), .integer(now - 3000), .text("\(now - 3000)")] {
            properties.deadline = passed
            let error = #expect(throws: MessageError.self) { try properties.checkDeadline(now: now) }
            #expect(error?.code == .deadlineExceeded)
            #expect(error?.isRetryable == true)
        }
    }

    @Test("A deadline that is no time in milliseconds is refused, with a word about seconds")
    func badDeadlines() {
        for value in [HeaderValue.text("soon"), .other, .integer(-1), .integer(0), .text("1e12")] {
            let error = error { $0.deadline = value }
            #expect(error?.code == .invalidDeadline)
            #expect(error?.field == "deadline")
        }
        #expect(error { $0.deadline = .integer(1_790_000_000) }?.message.contains("looks like seconds") == true)
    }

    @Test("B30: the reply has the correlation id byte for byte, else the message id, else none")
    func b30() {
        var properties = RequestProperties(kind: .request)
        func reply() -> ReplyProperties {
            ReplyProperties(
                .error(MessageError(.internal, "")), to: properties, messageID: "r-1", timestamp: 1_790_000_000)
        }
        #expect(reply().correlationID == nil)
        properties.messageID = Array("m1".utf8)
        #expect(reply().correlationID == Array("m1".utf8))
        properties.correlationID = Array("x/ü/1".utf8)
        #expect(reply().correlationID == Array("x/ü/1".utf8))
        properties.correlationID = [0xFF, 0x00]
        #expect(reply().correlationID == [0xFF, 0x00])
    }

    @Test("Callers are users before applications before nobody, with all else percent-encoded")
    func callers() {
        #expect(Caller(userID: "backend", appID: "app").text == "u-backend")
        #expect(Caller(userID: nil, appID: "my app").text == "a-my%20app")
        #expect(Caller(userID: "", appID: "").text == "anonymous")
        #expect(Caller(userID: "a.b*#%", appID: nil).text == "u-a%2Eb%2A%23%25")
        #expect(Caller(userID: "ü", appID: nil).text == "u-%C3%BC")
        #expect(Caller(userID: "A_z-09", appID: nil).text == "u-A_z-09")
        #expect(Caller(userID: "anonymous", appID: nil) != .anonymous)
    }

    @Test("The longest names leave room for a routing key, and stay apart")
    func longCallers() {
        let a = Caller(userID: String(repeating: "*", count: 254) + "a", appID: nil)
        let b = Caller(userID: String(repeating: "*", count: 254) + "b", appID: nil)
        #expect(a != b)
        for kind in NoticeKind.allCases {
            #expect("\(kind.rawValue).rtc+rtm.\(a)".utf8.count <= 255)
        }
        #expect(a.text.utf8.allSatisfy { $0 != UInt8(ascii: ".") })
    }

    @Test("B44: a trace goes on under another span; malformed ones count as none")
    func b44() throws {
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        var properties = RequestProperties(kind: .request)
        properties.traceparent = .text(parent)
        properties.tracestate = .text("vendor=1")
        let trace = try #require(properties.trace)
        #expect(trace.traceparent == parent)
        #expect(trace.tracestate == "vendor=1")
        let next = trace.continued(span: 0xABC)
        #expect(next.traceparent == "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000abc-01")
        #expect(TraceContext(traceparent: next.traceparent, tracestate: nil) != nil)
        #expect(
            TraceContext(traceparent: "cc-\(parent.dropFirst(3))-later", tracestate: nil)?.continued(span: 1)
                .traceparent
                == "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000001-01")
        for bad in [
            "", "00", parent.uppercased(), String(parent.dropLast()), parent + "-00", "ff" + parent.dropFirst(2),
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", parent.replacing("4bf9", with: "4bg9"),
        ] {
            #expect(TraceContext(traceparent: bad, tracestate: nil) == nil, "\(bad)")
        }
        properties.traceparent = .integer(7)
        #expect(properties.trace == nil)
        properties.traceparent = .text(parent)
        properties.tracestate = .text("a\nb")
        #expect(properties.trace?.tracestate == nil)
    }

    @Test(
        "A tracestate that is no list of entries is dropped, and its traceparent stays",
        arguments: [
            ("rojo=00f067aa0ba902b7", true), ("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", true),
            ("fw529a3039@dt=FfAAAABB , vendor/x*y=a b!~", true), ("a=1,,b=2", true),
            (String(repeating: "a=1,", count: 32), true), (String(repeating: "a=1,", count: 33), false),
            ("", false), (",", false), ("rojo", false), ("=1", false), ("a=", false), ("a=b=c", false),
            ("Rojo=1", false), ("-a=1", false), ("a b=1", false), ("a=\u{e9}", false), ("a=1\t", false),
            ("a=" + String(repeating: "x", count: 511), false),
        ])
    func tracestates(_ text: String, _ isValid: Bool) throws {
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let trace = try #require(TraceContext(traceparent: parent, tracestate: text))
        #expect(trace.tracestate == (isValid ? text : nil))
    }
}
