// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A W3C trace context, carried from a message to its reply and notices.
public struct TraceContext: Sendable, Hashable {
    /// `version-traceid-spanid-flags` in hexadecimal digits.
    public let traceparent: String
    /// The vendors' part; nil if absent or malformed.
    public let tracestate: String?

    /// Takes the two headers; nil if `traceparent` is malformed.
    ///
    /// - Parameters:
    ///   - traceparent: the header `traceparent`.
    ///   - tracestate: the header `tracestate`; ignored if it is longer than 512 bytes or no list of up to 32
    ///     `key=value`.
    public init?(traceparent: String, tracestate: String?) {
        let fields = traceparent.split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count >= 4, fields[0].utf8.count == 2, fields[0] != "ff", fields[0] != "00" || fields.count == 4,
            fields[1].utf8.count == 32, fields[2].utf8.count == 16, fields[3].utf8.count == 2,
            traceparent.utf8.count <= 255, traceparent.utf8.allSatisfy(Self.isAllowed),
            fields[0...3].allSatisfy({ $0.utf8.allSatisfy(Self.isHexDigit) }),
            fields[1].contains(where: { $0 != "0" }), fields[2].contains(where: { $0 != "0" })
        else { return nil }
        self.traceparent = traceparent
        if let tracestate, !tracestate.isEmpty, tracestate.utf8.count <= 512, Self.isList(tracestate) {
            self.tracestate = tracestate
        } else {
            self.tracestate = nil
        }
    }

    private init(checked traceparent: String, tracestate: String?) {
        self.traceparent = traceparent
        self.tracestate = tracestate
    }

    /// The same trace continued by another span.
    ///
    /// - Parameter span: the id of the new span; 0, which is no id, is taken for 1.
    /// - Returns: a context with the same trace id.
    public func continued(span: UInt64) -> TraceContext {
        let digits = String(max(span, 1), radix: 16)
        let padded = String(repeating: "0", count: 16 - digits.utf8.count) + digits
        let head = traceparent.prefix(36)
        let flags = traceparent.dropFirst(53).prefix(2)
        let version = head.hasPrefix("00") ? head : "00" + head.dropFirst(2)
        return TraceContext(checked: "\(version)\(padded)-\(flags)", tracestate: tracestate)
    }

    /// Whether a text is a list of vendors' entries as W3C has it; empty places between commas are allowed.
    private static func isList(_ text: String) -> Bool {
        let members = text.utf8.split(separator: UInt8(ascii: ",")).map { member in
            member.drop { $0 == 0x20 || $0 == 0x09 }
        }.filter { !$0.isEmpty }
        return (1...32).contains(members.count) && members.allSatisfy(isMember)
    }

    private static func isMember(_ member: Substring.UTF8View) -> Bool {
        guard let equals = member.firstIndex(of: UInt8(ascii: "=")) else { return false }
        let key = member[..<equals]
        let value = member[member.index(after: equals)...]
        return (1...256).contains(key.count) && key.first.map(isLowerOrDigit) == true
            && key.allSatisfy { isLowerOrDigit($0) || "_-*/@".utf8.contains($0) }
            && (1...256).contains(value.count)
            && value.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }

    private static func isLowerOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }
}
