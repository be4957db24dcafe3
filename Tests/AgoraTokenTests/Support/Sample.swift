// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import AgoraToken

/// The project that the official samples use.
struct Sample {
    let appID: AppID
    let certificate: AppCertificate
    /// The second at which the tokens below begin.
    let issuedAt: UInt32 = 1_790_000_000

    init() throws {
        appID = try AppID("970CA35de60c44645bbae8a215061b33")
        certificate = try AppCertificate("5CFd2fd1755d40ecb72977518be15d3b")
    }

    /// A signed token for a call.
    func rtc(
        channel: String = "test", user: RTCUser = 1234, role: RTCRole = .publisher, lifetime: UInt32 = 3_600,
        privilegeLifetime: UInt32 = 0
    ) throws -> String {
        try AccessToken.rtc(
            appID: appID, channel: channel, user: user, role: role, lifetime: lifetime,
            privilegeLifetime: privilegeLifetime, issuedAt: issuedAt, salt: 1
        ).signed(with: certificate)
    }

    /// A signed token with one service.
    func token(_ service: Service, lifetime: UInt32 = 3_600) throws -> String {
        try AccessToken(appID: appID, issuedAt: issuedAt, lifetime: lifetime, salt: 1, services: [service])
            .signed(with: certificate)
    }

    /// What there is to say about a token one minute after it was made.
    func report(
        _ token: String, service: Service.Kind? = nil, channel: String? = "test", user: RTCUser? = 1234,
        after seconds: UInt32 = 60
    ) -> TokenReport {
        TokenReport(
            token, projects: [appID: [certificate]], service: service, channel: channel, user: user,
            at: issuedAt + seconds)
    }
}
