// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// Reads what an app's HTTP client asks for.
///
/// The body is a request of the contract with the fields that are for the user of an app. It is JSON whatever
/// `Content-Type` says, as clients after Agora's sample send it as a form.
enum GatewayRequest {
    /// The request in a body.
    ///
    /// - Parameters:
    ///   - body: the body.
    ///   - keepsLeases: whether tokens have leases, so that notices are sent.
    /// - Returns: what to ask workers for.
    /// - Throws: ``MessageError`` for the first fault.
    static func read(_ body: [UInt8], keepsLeases: Bool) throws(MessageError) -> TokenRequest {
        guard case .object(let given)? = try? JSONReader.read(body) else { return try TokenRequest.decode(body) }
        let members = withFieldNames(given)
        for member in members { try check(member.name, keepsLeases: keepsLeases) }
        var request = try TokenRequest(members: members)
        guard services.contains(request.scope.service) else {
            throw MessageError(
                .unsupportedService,
                "service \(request.scope.service.rawValue) is not served over HTTP; it must be rtc or rtc+rtm",
                field: "service")
        }
        if !keepsLeases { request.notify = .none }
        return request
    }

    /// The tokens of users in channels; others are for backends, some of them with the rights of the whole project.
    private static let services: [ServiceName] = [.rtc, .rtcRTM]

    /// Agora's sample server takes `ChannelName` as well, and so some clients send it.
    private static func withFieldNames(_ members: [JSONMember]) -> [JSONMember] {
        guard !members.contains(where: { $0.name == "channelName" }) else { return members }
        return members.map { member in
            member.name == "ChannelName" ? JSONMember(name: "channelName", value: member.value) : member
        }
    }

    private static func check(_ name: String, keepsLeases: Bool) throws(MessageError) {
        switch name {
        case "autoRenew", "dryRun":
            throw MessageError(.fieldNotApplicable, "\(name) is for backends, over AMQP", field: name)
        case "notify", "leaseId":
            if !keepsLeases {
                throw MessageError(
                    .fieldNotApplicable, "\(name) is for tokens with leases, which this gateway does not ask for",
                    field: name)
            }
        default: break
        }
    }
}
