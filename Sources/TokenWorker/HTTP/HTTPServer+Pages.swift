// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension HTTPServer {
    /// Serves pages for monitoring, where they are wanted; they end with what this returns.
    ///
    /// Where nobody said so and the port is taken, perhaps by another process of this kind, the work goes on without.
    ///
    /// - Parameters:
    ///   - address: where.
    ///   - origin: what has set the address; `nil` where nothing has.
    ///   - setting: the setting that would.
    ///   - event: the name of the log line that tells the address.
    ///   - log: where that is told.
    ///   - page: gives the page at a path, or `nil` where there is none.
    /// - Returns: the server, or `nil` where there is none.
    /// - Throws: ``ConfigurationError`` when the address that was asked for cannot be had.
    package static func pages(
        at address: HTTPAddress, origin: String?, of setting: Setting, event: String, _ log: Log,
        page: @escaping @Sendable (_ path: String) -> HTTPAnswer?
    ) throws(ConfigurationError) -> HTTPServer? {
        guard case .port(let port, let host) = address else { return nil }
        do throws(ListeningSocket.Failure) {
            let server = try HTTPServer(host: host, port: port, pages: page)
            log.line(.info, event) { $0.add("address", server.address.description) }
            return server
        } catch {
            let detail = "\(address): \(error); give another HOST:PORT, or off"
            if let origin { throw ConfigurationError(origin, detail) }
            log.line(.warning, "serves_no_http") { $0.add("detail", "\(setting.variable): \(detail)") }
            return nil
        }
    }
}
