// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The content of an AccessToken2 ("007"), the token that Agora's services ask for.
///
/// ```swift
/// let appID = try AppID("970CA35de60c44645bbae8a215061b33")
/// let certificate = try AppCertificate("5CFd2fd1755d40ecb72977518be15d3b")
/// let token = AccessToken.rtc(appID: appID, channel: "test", user: 1234, lifetime: 3600)
/// print(try token.signed(with: certificate))
/// ```
public struct AccessToken: Sendable, Hashable {
    /// The longest lifetime that Agora honours, in seconds: one day.
    ///
    /// It ends longer ones there without a word.
    public static let maximumLifetime: UInt32 = 86_400

    /// The project.
    public var appID: AppID
    /// When the token begins, in seconds since 1970.
    public var issuedAt: UInt32
    /// How long the token lasts, in seconds after ``issuedAt``.
    ///
    /// Agora caps it at 86,400, one day.
    public var lifetime: UInt32
    /// A number that makes two otherwise equal tokens differ.
    ///
    /// Any value is valid.
    public var salt: UInt32
    /// What the token is good for.
    ///
    /// Signing orders services by their type; those of one type keep their order.
    public var services: [Service]

    /// Describes a token.
    ///
    /// - Parameters:
    ///   - appID: The project.
    ///   - issuedAt: When the token begins, in seconds since 1970; by default the current second.
    ///   - lifetime: How long it lasts, in seconds.
    ///   - salt: By default a random number from the system.
    ///   - services: What it is good for, at least one service.
    public init(
        appID: AppID, issuedAt: UInt32? = nil, lifetime: UInt32, salt: UInt32? = nil, services: [Service]
    ) {
        self.appID = appID
        self.issuedAt = issuedAt ?? SystemSource.now()
        self.lifetime = lifetime
        self.salt = salt ?? SystemSource.randomUInt32()
        self.services = services
    }
}
