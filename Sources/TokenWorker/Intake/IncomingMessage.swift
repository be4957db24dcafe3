// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP
internal import TokenMessages

/// A delivery with what the contract reads of it.
///
/// A class, since copies of so many strings would cost more than one allocation.
final class IncomingMessage: Sendable {
    let delivery: Delivery
    let properties: RequestProperties
    /// Who sent it.
    let caller: Caller

    /// Takes a delivery from the queue of one kind of message.
    init(_ delivery: Delivery, kind: MessageKind) {
        self.delivery = delivery
        properties = RequestProperties(delivery, kind: kind)
        caller = properties.caller
    }
}
