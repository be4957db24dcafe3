// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// The address of a TCP socket of this process, as the system tells it.
struct SocketName: Sendable {
    // Both families have the family and the port at the same places, and this one is the larger.
    private var address = sockaddr_in6()
    private var length = socklen_t(MemoryLayout<sockaddr_in6>.size)

    /// Asks for the address of a socket.
    ///
    /// The corresponding C function is `getsockname`.
    init(of descriptor: Int32) {
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            _ = unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
    }

    /// The port.
    var port: UInt16 { UInt16(bigEndian: address.sin6_port) }

    /// Opens a connection to it and closes that at once, without waiting for anything: who listens there has to move.
    ///
    /// The corresponding C functions are `socket` and `connect`.
    func knock() {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(Int32(address.sin6_family), type, 0)
        guard descriptor >= 0 else { return }
        unsafe withUnsafePointer(to: address) { pointer in
            _ = unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, length)
            }
        }
        close(descriptor)
    }
}
