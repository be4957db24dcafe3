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

    /// How often the broker delivered it before, as far as it counts.
    var earlierDeliveries: Int64 {
        guard delivery.isRedelivered else { return 0 }
        return delivery.properties.headers["x-delivery-count"]?.integer ?? 0
    }
}
