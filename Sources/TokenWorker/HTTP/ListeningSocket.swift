// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import Platform

/// A TCP socket that listens, until it is given to somebody who closes it.
package struct ListeningSocket {
    /// Why there is none, in the system's words.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        /// Whether others could have reached the address, which was not allowed.
        package var isOpenToOthers = false
    }

    let descriptor: Int32
    /// Its address, as the system tells it.
    let name: SocketName
    /// The port, also where any free one was asked for.
    package var port: UInt16 { name.port }

    /// Listens at the first of the host's addresses that lets it.
    ///
    /// - Parameters:
    ///   - host: an address or name of this host.
    ///   - port: the port, 0 for one that is free.
    ///   - onlyLoopback: whether every address of the host must be one that only this machine reaches.
    /// - Throws: ``Failure`` that tells the last address's reason.
    package init(host: String, port: UInt16, onlyLoopback: Bool = false) throws(Failure) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else {
            throw Failure(description: unsafe gai_strerror(status).map { unsafe String(cString: $0) } ?? "unknown host")
        }
        defer { unsafe freeaddrinfo(list) }
        if onlyLoopback, unsafe !Self.isLoopback(list) {
            throw Failure(description: "others can reach it", isOpenToOthers: true)
        }
        var reason = "no address"
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            unsafe next = entry.ai_next
            let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            let descriptor = unsafe socket(entry.ai_family, type, 0)
            var on: Int32 = 1
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
            if unsafe bind(descriptor, entry.ai_addr, entry.ai_addrlen) == 0, listen(descriptor, 64) == 0 {
                self.descriptor = descriptor
                name = SocketName(of: descriptor)
                return
            }
            reason = SystemError.reason(errno)
            close(descriptor)
        }
        throw Failure(description: reason)
    }

    /// Whether all addresses of a list are of 127.0.0.0/8 or ::1.
    private static func isLoopback(_ list: UnsafeMutablePointer<addrinfo>?) -> Bool {
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            unsafe next = entry.ai_next
            guard let address = unsafe entry.ai_addr.map({ UnsafeRawPointer($0) }) else { return false }
            switch unsafe entry.ai_family {
            case AF_INET:
                let bytes = unsafe address.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
                guard UInt32(bigEndian: bytes) >> 24 == 127 else { return false }
            case AF_INET6:
                let bytes = unsafe address.loadUnaligned(as: sockaddr_in6.self).sin6_addr.__in6_u.__u6_addr32
                guard bytes.0 == 0, bytes.1 == 0, bytes.2 == 0, UInt32(bigEndian: bytes.3) == 1 else { return false }
            default: return false
            }
        }
        return true
    }
}
