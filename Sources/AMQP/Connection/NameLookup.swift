// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import Platform
import Synchronization

/// Turns a host's name into addresses, within a time limit, which the system's resolver does not have.
///
/// The resolver runs on a thread of its own. One that hangs is left to it, and further lookups of the same name wait
/// for that one, so that a dead name server costs one thread for each name.
///
/// The corresponding C functions are `getaddrinfo` and `getnameinfo`.
final class NameLookup: Sendable {
    /// More addresses than these of one name are not tried.
    static let mostAddresses = 8

    private static let running = Mutex<[String: NameLookup]>([:])

    private let isDone = WakeUp()
    private let result = Mutex<[String]>([])

    private init() {}

    /// The addresses of a host, in the order in which they are to be tried; an address is its own.
    ///
    /// - Parameters:
    ///   - host: a name or an address.
    ///   - limit: the longest time for it.
    ///   - isAborted: whether nobody waits any more.
    ///   - resolve: what to ask; it may take its time.
    /// - Returns: the addresses, at least one.
    /// - Throws: ``AMQPError/Code/unreachable`` for an unknown name, ``AMQPError/Code/timedOut``.
    static func addresses(
        of host: String, within limit: Duration, isAborted: () -> Bool = { false },
        resolve: @escaping @Sendable (String) -> [String] = systemAddresses
    ) throws(AMQPError) -> [String] {
        if let address = numericAddress(host) { return [address] }
        let (lookup, isNew) = running.withLock { running in
            if let lookup = running[host] { return (lookup, false) }
            let lookup = NameLookup()
            running[host] = lookup
            return (lookup, true)
        }
        if isNew {
            PlainThread(named: "amqp-resolve") {
                let addresses = resolve(host)
                lookup.result.withLock { $0 = addresses }
                running.withLock { $0[host] = nil }
                lookup.isDone.signal()
            }
        }
        let end = ContinuousClock.now + limit
        while !lookup.isDone.wait(atMost: max(.zero, min(end - .now, .milliseconds(100)))) {
            guard !isAborted() else { throw AMQPError(.closed, "the connection was cut on request") }
            guard .now < end else { throw AMQPError(.timedOut, "the host name was not resolved within \(limit)") }
        }
        let addresses = lookup.result.withLock { $0 }
        guard !addresses.isEmpty else { throw AMQPError(.unreachable, "the host name cannot be resolved") }
        return addresses
    }

    /// An address in the form that the system gives it; nil for a name.
    static func numericAddress(_ text: String) -> String? {
        look(up: text, flags: AI_NUMERICHOST).first
    }

    /// What the system's resolver says; empty for an unknown name.
    @Sendable
    static func systemAddresses(of host: String) -> [String] {
        look(up: host, flags: 0)
    }

    private static func look(up host: String, flags: Int32) -> [String] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = flags
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [String] = []
        var next = unsafe first
        while let entry = unsafe next, addresses.count < mostAddresses {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let status = unsafe getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if status == 0, !addresses.contains(address) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }
}
