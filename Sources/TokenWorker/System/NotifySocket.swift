// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import CLinux

/// The socket on which a service tells systemd how it is.
struct NotifySocket: Sendable {
    /// A path, or a name of the abstract namespace after `@`.
    let address: String

    /// Takes the address that systemd gives in `NOTIFY_SOCKET`; `nil` where there is none.
    init?(_ environment: [String: String]) {
        guard let address = environment["NOTIFY_SOCKET"], address.hasPrefix("/") || address.hasPrefix("@") else {
            return nil
        }
        self.address = address
    }

    /// Sends assignments, one on each line.
    ///
    /// The corresponding C functions are `socket` and `sendto`; systemd's own is `sd_notify`.
    ///
    /// - Returns: whether the other end has taken it; it never waits for that.
    func send(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { utf8 in
            unsafe utf8.withMemoryRebound(to: CChar.self) { bytes in
                unsafe clinux_send_datagram(address, bytes.baseAddress, bytes.count) == 0
            }
        }
    }
}
