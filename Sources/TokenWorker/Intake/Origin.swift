// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import LeaseStore
internal import TokenMessages

/// What planning needs of a message besides its decoded body.
struct Origin: Sendable {
    let caller: Caller
    private(set) var key: RequestKey
    /// What recognises a repeat.
    private(set) var mark: RequestMark
    let trace: TraceContext?
    /// The queue for replies, as far as there is one; it was checked.
    let replyTo: String?
    /// What replies carry as their correlation id.
    let correlationID: [UInt8]?
    /// The machine's clock in milliseconds since 1970.
    let now: Int64

    init(_ message: IncomingMessage, _ key: RequestKey, _ body: [UInt8], _ circumstances: Circumstances) {
        caller = message.caller
        self.key = key
        // Without a message id an equal message is another one, unless it is this very one again.
        let isCompared = !key.isUnnamed || message.properties.isRedelivered || circumstances.isRetry
        mark = RequestMark(id: key.key, body: .body(body), isCompared: isCompared)
        trace = message.properties.trace
        replyTo = message.properties.replyTo
        correlationID = message.properties.replyCorrelationID
        now = circumstances.now
    }

    /// The origin of one item of a batch.
    func item(_ position: Int) -> Origin {
        var item = self
        item.key = key.item(position)
        item.mark.id = item.key.key
        return item
    }
}
