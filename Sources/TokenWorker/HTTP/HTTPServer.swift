// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CMicroHTTPD
import Glibc
import Platform
import Synchronization

/// Serves HTTP on one thread.
@safe package final class HTTPServer: Sendable {
    /// Where it serves.
    package let address: HTTPAddress
    private let traffic: HTTPTraffic
    nonisolated(unsafe) private let daemon: OpaquePointer
    private let overseer: PlainThread
    private let end = Mailbox(empty: false)
    private let isOver = Mutex(false)

    /// Starts to serve pages; it ends with this object.
    ///
    /// - Throws: `ListeningSocket.Failure` when the address cannot be had.
    convenience init(
        host: String, port: UInt16, pages: @escaping @Sendable (_ path: String) -> HTTPAnswer?
    ) throws(ListeningSocket.Failure) {
        let socket = try ListeningSocket(host: host, port: port)
        try self.init(socket, host: host, limits: HTTPLimits(), service: HTTPPages(page: pages))
    }

    /// Starts to serve at a socket, which it takes over; it ends with this object.
    ///
    /// - Throws: `ListeningSocket.Failure` when the library does not start.
    package init(
        _ socket: ListeningSocket, host: String, limits: HTTPLimits, service: any HTTPService
    ) throws(ListeningSocket.Failure) {
        let traffic = HTTPTraffic(service: service, limits: limits)
        self.traffic = traffic
        address = .port(socket.port, host: host)
        let daemon = unsafe Self.start(socket.descriptor, limits, Unmanaged.passUnretained(traffic).toOpaque())
        guard let daemon = unsafe daemon else {
            close(socket.descriptor)
            throw ListeningSocket.Failure(description: "the HTTP library does not start")
        }
        unsafe self.daemon = daemon
        let end = end
        let name = socket.name
        overseer = PlainThread {
            while !end.take(until: ContinuousClock.now.advanced(by: .seconds(1))) {
                traffic.cutSlow(at: ContinuousClock.now)
                if let limit = limits.knockAfter, traffic.silence > limit, !traffic.isStopping { name.knock() }
            }
        }
    }

    /// How long its thread has done nothing: little more than ``HTTPLimits/knockAfter`` while it can do anything.
    package var silence: Duration { traffic.silence }

    deinit { finish() }

    /// Takes no more connections, answers the requests that it has, and ends.
    ///
    /// - Parameters:
    ///   - limit: after it what is left gets the service's parting words.
    ///   - isUrgent: asked now and then; true ends the waiting.
    /// - Returns: whether everything was answered.
    @discardableResult
    package func stop(within limit: Duration, unless isUrgent: () -> Bool = { false }) -> Bool {
        traffic.stops()
        let socket = unsafe MHD_quiesce_daemon(daemon)
        // Else the system would go on taking connections, for nobody.
        if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
        let isFinished = traffic.waitUntilIdle(until: ContinuousClock.now.advanced(by: limit), unless: isUrgent)
        finish()
        // Not before the end of the library's thread, which may be looking at it.
        if socket >= 0 { close(socket) }
        return isFinished
    }

    private func finish() {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        guard isFirst else { return }
        end.put { $0 = true }
        overseer.join()
        // The library must not end while a connection is suspended.
        traffic.giveUp()
        _ = traffic.waitUntilIdle(until: ContinuousClock.now.advanced(by: .seconds(2)))
        unsafe MHD_stop_daemon(daemon)
    }

    /// The corresponding C function is `MHD_start_daemon`.
    private static func start(
        _ socket: Int32, _ limits: HTTPLimits, _ context: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        unsafe cmicrohttpd_start(
            socket, limits.connections, limits.idleSeconds,
            { @Sendable context, connection, path, method, _, data, size, slot in
                unsafe HTTPServer.handle(context, connection, method, path, data, size, slot)
            },
            { @Sendable _, _, slot, _ in
                guard let slot = unsafe slot, let exchange = unsafe slot.pointee else { return }
                unsafe slot.pointee = nil
                unsafe Unmanaged<HTTPExchange>.fromOpaque(exchange).takeRetainedValue().ended()
            },
            { @Sendable context, connection, _, code in
                guard let context = unsafe context, let connection = unsafe connection else { return }
                let traffic = unsafe Unmanaged<HTTPTraffic>.fromOpaque(context).takeUnretainedValue()
                if code.rawValue == 0 { unsafe traffic.opened(connection) } else { unsafe traffic.closed(connection) }
            }, context)
    }

    /// The library's call for each step of a request; `slot` keeps the exchange between them.
    private static func handle(
        _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ method: UnsafePointer<CChar>?,
        _ path: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>?,
        _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let context = unsafe context, let connection = unsafe connection, let method = unsafe method,
            let path = unsafe path, let size = unsafe size, let slot = unsafe slot
        else { return .NO }
        guard let known = unsafe slot.pointee else {
            let traffic = unsafe Unmanaged<HTTPTraffic>.fromOpaque(context).takeUnretainedValue()
            let request = unsafe HTTPHead.request(connection, method: method, path: path)
            let exchange = unsafe HTTPExchange(request, on: connection, traffic)
            unsafe slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
            return exchange.begins()
        }
        let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
        guard unsafe size.pointee > 0 else { return exchange.goesOn() }
        let result = unsafe exchange.takes(UnsafeRawBufferPointer(start: data, count: size.pointee))
        unsafe size.pointee = 0
        return result
    }
}
