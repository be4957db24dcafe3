// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package import AgoraToken

/// The body of a `token.explained`: what a token says, and why Agora would refuse it.
public struct ExplainedReply: Sendable, Hashable {
    /// Whether there is no reason to refuse the token.
    public let isAccepted: Bool
    /// Why Agora would refuse the token, the most basic reason first, in plain sentences.
    public let refusals: [String]
    /// What else might surprise, in plain sentences.
    public let remarks: [String]
    /// The body, which says more of each reason and what the token holds.
    private let body: [UInt8]

    /// Takes what was found.
    package init(_ report: TokenReport) {
        isAccepted = report.isAccepted
        refusals = report.refusals.map(\.message)
        remarks = report.remarks.map(\.message)
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        report.write(to: &json)
        json.endObject()
        body = json.bytes
    }

    /// The body that carries this reply.
    public func encode() -> [UInt8] { body }

    /// Reads a reply; members that are not known are passed over.
    ///
    /// - Parameter body: the JSON text.
    /// - Throws: ``ReplyError`` if a member is missing or of another type.
    public init(_ body: [UInt8]) throws(ReplyError) {
        let fields = try ReplyFields(body)
        isAccepted = try fields.bool("accepted")
        var (refusals, remarks): ([String], [String]) = ([], [])
        for finding in try fields.array("refusals") { refusals.append(try ReplyFields(finding).string("message")) }
        for finding in try fields.array("remarks") { remarks.append(try ReplyFields(finding).string("message")) }
        (self.refusals, self.remarks, self.body) = (refusals, remarks, body)
    }
}
