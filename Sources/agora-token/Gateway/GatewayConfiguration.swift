// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenWorker

/// What a gateway is told before it starts, checked.
struct GatewayConfiguration: Sendable {
    let host: String
    let port: UInt16
    /// The setting that says where it listens, for complaints.
    let origin: String
    /// What clients have to show; without one only this machine may be a client.
    let secret: BearerSecret?
    let origins: AllowedOrigins
    /// Whether tokens have leases, so that backends hear notices of them.
    let keepsLeases: Bool
    /// Where the pages for monitoring are.
    let pages: HTTPAddress
    /// The setting that says so, where one does.
    let pagesOrigin: String?
    /// Seconds to finish in after SIGTERM.
    let gracePeriod: Int
    let log: LogFormat

    private static let standard = HTTPAddress.port(8080, host: "127.0.0.1")

    /// Reads the settings.
    ///
    /// - Throws: ``ConfigurationError`` that names the first setting that is malformed.
    init(_ sources: SettingSources, keepsLeases: Bool) throws(ConfigurationError) {
        let listen = try sources.value(of: .listen)
        origin = listen?.origin ?? Setting.listen.variable
        let address = try listen.map { value throws(ConfigurationError) in try HTTPAddress(value) } ?? Self.standard
        guard case .port(let port, let host) = address else {
            throw ConfigurationError(origin, "a gateway that is off serves nothing; give HOST:PORT")
        }
        (self.port, self.host) = (port, host)
        secret = try sources.value(of: .gatewaySecret).map { value throws(ConfigurationError) in
            try BearerSecret(value)
        }
        origins =
            try sources.value(of: .allowOrigin).map { value throws(ConfigurationError) in
                try AllowedOrigins(value)
            } ?? AllowedOrigins()
        let pages = try sources.value(of: .gatewayHTTP)
        self.pages = try pages.map { value throws(ConfigurationError) in try HTTPAddress(value) } ?? .gatewayStandard
        pagesOrigin = pages?.origin
        self.keepsLeases = keepsLeases
        gracePeriod = try sources.integer(.gracePeriod, in: 0...3600) ?? 30
        log = try sources.choice(.log, LogFormat.self) ?? (FileWriter.standardError.isTerminal ? .text : .json)
    }

    /// Listens at the address.
    ///
    /// - Throws: ``ConfigurationError`` when it cannot be had, or when others can reach it and there is no secret.
    func socket() throws(ConfigurationError) -> ListeningSocket {
        do throws(ListeningSocket.Failure) {
            return try ListeningSocket(host: host, port: port, onlyLoopback: secret == nil)
        } catch {
            let address = HTTPAddress.port(port, host: host)
            throw ConfigurationError(
                origin,
                error.isOpenToOthers
                    ? "\(address) can be reached by others, and there is no secret; set \(Setting.gatewaySecret.variable)_FILE,"
                        + " or listen at 127.0.0.1"
                    : "\(address): \(error)")
        }
    }
}
