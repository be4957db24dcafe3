// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import LeaseStore
internal import TokenMessages

extension MessagePlanner {
    /// How the lease of a request is to be renewed by the worker; `nil` where it is not.
    ///
    /// - Throws: `invalid_auto_renew` when the order cannot be carried out.
    func renewal(_ request: TokenRequest, _ origin: Origin) throws(MessageError) -> RenewalPlan? {
        guard let wanted = request.autoRenew else { return nil }
        guard hasStore else {
            throw MessageError(
                .fieldNotApplicable, "this worker keeps no leases, so that it can renew none", field: "autoRenew")
        }
        let order = try wanted.checked(
            now: Self.seconds(origin.now), requester: origin.replyTo ?? "",
            addresses: limited(replyAddress, to: origin.userID))
        if let address = order.replyTo, ReplyAddress.isDirect(address) {
            throw MessageError(
                .invalidAutoRenew,
                "a direct reply_to ends with its connection; autoRenew.replyTo must name a queue for the new tokens",
                field: "autoRenew.replyTo")
        }
        return RenewalPlan(order: order, correlationID: origin.correlationID)
    }
}
