// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension AutoRenew {
    /// The order with its queue filled in, if it can be carried out.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - requester: the reply queue of the request, which was checked.
    ///   - addresses: where replies may go.
    /// - Returns: the order as a lease keeps it.
    /// - Throws: `invalid_auto_renew` for a time that has passed, or a queue that no reply may go to.
    package func checked(
        now: UInt32, requester: String, addresses: ReplyAddress
    ) throws(MessageError) -> AutoRenew {
        guard until > now else {
            throw MessageError(
                .invalidAutoRenew, "autoRenew.until is \(until), \(now - until) s ago; it must be a time to come",
                field: "autoRenew.until")
        }
        var order = self
        order.replyTo = requester
        guard let replyTo else { return order }
        do throws(MessageError) {
            order.replyTo = try addresses.check(replyTo)
        } catch {
            throw MessageError(
                .invalidAutoRenew, "autoRenew.replyTo is no queue that replies may go to: \(error.message)",
                field: "autoRenew.replyTo")
        }
        return order
    }
}
