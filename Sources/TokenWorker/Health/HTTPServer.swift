// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import CMicroHTTPD

/// Serves pages to monitoring, on one thread.
@safe final class HTTPServer: Sendable {
    /// Gives the page at a path, or `nil` where there is none; called on the server's thread.
    typealias Pages = @Sendable (_ path: String) -> HTTPAnswer?

    private final class Context: Sendable {
        let pages: Pages
        init(_ pages: @escaping Pages) { self.pages = pages }
    }

    /// Where it serves.
    let address: HTTPAddress
    private let context: Context
    nonisolated(unsafe) private let daemon: OpaquePointer

    /// Starts to serve; it ends with this object.
    ///
    /// - Throws: `ListeningSocket.Failure` when the address cannot be had.
    init(host: String, port: UInt16, pages: @escaping Pages) throws(ListeningSocket.Failure) {
        let socket = try ListeningSocket(host: host, port: port)
        let context = Context(pages)
        let daemon = unsafe cmicrohttpd_start(
            socket.descriptor,
            { @Sendable context, connection, path, method, _, _, _, _ in
                guard let context = unsafe context, let path = unsafe path, let method = unsafe method else {
                    return .NO
                }
                let pages = unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue().pages
                let answer = unsafe HTTPServer.answer(String(cString: method), String(cString: path), pages)
                return unsafe HTTPServer.send(answer, on: connection)
            }, Unmanaged.passUnretained(context).toOpaque())
        guard let daemon = unsafe daemon else {
            throw ListeningSocket.Failure(description: "the HTTP library does not start")
        }
        unsafe self.daemon = daemon
        self.context = context
        address = .port(socket.port, host: host)
    }

    deinit { unsafe MHD_stop_daemon(daemon) }

    private static func answer(_ method: String, _ path: String, _ pages: Pages) -> HTTPAnswer {
        guard method == "GET" || method == "HEAD" else {
            return HTTPAnswer(status: 405, lines: ["only GET and HEAD"])
        }
        return pages(path) ?? HTTPAnswer(status: 404, lines: ["there is no such page"])
    }

    /// Sends an answer; the library leaves the body out where it was asked for the head alone.
    private static func send(_ answer: HTTPAnswer, on connection: OpaquePointer?) -> MHD_Result {
        var body = answer.body
        let response = unsafe body.withUnsafeMutableBytes { bytes in
            unsafe MHD_create_response_from_buffer(bytes.count, bytes.baseAddress, .RESPMEM_MUST_COPY)
        }
        guard let response = unsafe response else { return .NO }
        defer { unsafe MHD_destroy_response(response) }
        unsafe MHD_add_response_header(response, "Content-Type", answer.contentType)
        unsafe MHD_add_response_header(response, "Cache-Control", "no-store")
        return unsafe MHD_queue_response(connection, answer.status, response)
    }
}
