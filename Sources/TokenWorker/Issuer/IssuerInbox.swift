// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP

/// What other threads have for the issuer.
struct IssuerInbox: Sendable {
    /// Deliveries in the order in which they came.
    var deliveries: [Delivery] = []
    /// Replies that nobody takes.
    var undeliverable: [ReplyDesk.Undeliverable] = []
    /// The consuming connection went: what the issuer still holds comes again from the broker.
    var consumerWasLost = false
    /// No further delivery will come: finish and end.
    var isClosing = false
    /// End now, whatever is left; the broker gives it to others.
    var isAborting = false

    /// Adds deliveries; the first ones, which are often all, are taken over without a copy of each.
    mutating func add(_ new: [Delivery]) {
        if deliveries.isEmpty { deliveries = new } else { deliveries += new }
    }

    /// Drops the deliveries of a connection that went.
    mutating func loseDeliveries() {
        deliveries.removeAll()
        consumerWasLost = true
    }
}
