// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension HTTPAddress {
    /// The URL by which a process on the same host reaches what is served here.
    ///
    /// `nil` where nothing is served, or at a port that nobody knows beforehand.
    package var localURL: String? {
        guard case .port(let port, let host) = self, port != 0 else { return nil }
        let reachable =
            switch host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            default: host
            }
        return reachable.contains(":") ? "http://[\(reachable)]:\(port)" : "http://\(reachable):\(port)"
    }
}
