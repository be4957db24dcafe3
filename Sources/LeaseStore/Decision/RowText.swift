// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// How small values lie in the columns of a row, the same in every database.
enum RowText {
    /// Leads as decimal numbers with commas between.
    static func leads(_ leads: [UInt32]) -> String {
        leads.count == 1 ? String(leads[0]) : leads.map(String.init).joined(separator: ",")
    }

    /// Reads what `leads(_:)` wrote; `nil` when it is anything else.
    static func leads(_ text: String) -> [UInt32]? {
        guard !text.isEmpty else { return [] }
        var leads: [UInt32] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let lead = UInt32(part) else { return nil }
            leads.append(lead)
        }
        return leads
    }

    /// A trace as its two headers with a space between, which the first has not.
    static func trace(_ trace: TraceContext) -> String {
        guard let state = trace.tracestate else { return trace.traceparent }
        return trace.traceparent + " " + state
    }

    /// Reads what `trace(_:)` wrote.
    static func trace(_ text: String) -> TraceContext? {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let parent = parts.first else { return nil }
        return TraceContext(traceparent: String(parent), tracestate: parts.count > 1 ? String(parts[1]) : nil)
    }
}

extension RequestHistory {
    private static let entrySize = 32

    /// Id and body of each request, newest first, sixteen bytes each.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * Self.entrySize)
        for entry in entries {
            entry.id.append(to: &bytes)
            entry.body.append(to: &bytes)
        }
        return bytes
    }

    /// Reads what `bytes` gave; `nil` when it is anything else.
    init?(bytes: [UInt8]) {
        guard bytes.count % Self.entrySize == 0, bytes.count <= Self.capacity * Self.entrySize else { return nil }
        var entries: [Entry] = []
        entries.reserveCapacity(Self.capacity)
        for start in stride(from: 0, to: bytes.count, by: Self.entrySize) {
            entries.append(Entry(id: Key(bytes.span, at: start), body: Key(bytes.span, at: start + 16)))
        }
        self.init(entries: entries)
    }
}
