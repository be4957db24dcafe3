// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import LeaseStore
internal import TokenMessages

/// What planning needs of a message besides its decoded body.
struct Origin: Sendable {
    let caller: Caller
    /// The user that the broker has checked.
    let userID: String?
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

    /// Collects it.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - key: the key of the message.
    ///   - body: its body.
    ///   - circumstances: when, and under which conditions.
    ///   - isRemembered: whether there is a store, without which no repeat is recognised.
    init(
        _ message: IncomingMessage, _ key: RequestKey, _ body: [UInt8], _ circumstances: Circumstances,
        isRemembered: Bool
    ) {
        caller = message.caller
        userID = message.properties.userID
        self.key = key
        // Without a message id an equal message is another one, unless it is this very one again.
        let isCompared = !key.isUnnamed || message.properties.isRedelivered || circumstances.isRetry
        // The key of a message without an id stands for its body as well.
        let body: Key = key.isUnnamed || !isRemembered ? key.key : .body(body)
        mark = RequestMark(id: key.key, body: body, isCompared: isCompared)
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
