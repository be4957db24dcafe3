// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// A port of 127.0.0.1 that stays this test's, whether it is served or not.
///
/// The port of a server that has ended is anybody's, and other tests connect and listen all the time at ports that the
/// system picks. It picks none that a socket is bound to, even one that neither listens nor is connected; and a server
/// that, like that socket, sets `SO_REUSEADDR` may listen at it all the same, as long as no other does.
final class ReservedPort {
    let number: UInt16
    private let holder: Int32

    /// Has the system pick a port.
    ///
    /// - Throws: the number of the system's error.
    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        let code = errno
        (holder, number) = (descriptor, UInt16(bigEndian: address.sin_port))
        guard isBound else { throw Refusal(code: code) }
    }

    deinit { close(holder) }

    struct Refusal: Error { let code: Int32 }
}
