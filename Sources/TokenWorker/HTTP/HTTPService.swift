// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// What answers the requests of a server.
package protocol HTTPService: Sendable {
    /// Answers a request, once, at once or later and from any thread.
    ///
    /// Called on the server's thread: what takes long is done elsewhere.
    func answer(_ request: HTTPRequest, _ reply: @escaping @Sendable (HTTPAnswer) -> Void)

    /// Answers a request whose body is not read; called on the server's thread.
    func answer(_ request: HTTPRequest, to fault: HTTPFault) -> HTTPAnswer

    /// What requests get that have no answer when the server has to end.
    var parting: HTTPAnswer { get }
}

extension HTTPService {
    package func answer(_ request: HTTPRequest, to fault: HTTPFault) -> HTTPAnswer {
        switch fault {
        case .bodyTooLarge(let limit): HTTPAnswer(status: 413, lines: ["the body has more than \(limit) bytes"])
        case .ambiguousLength: HTTPAnswer(status: 400, lines: ["the length of the body is said twice"])
        case .unknownCoding: HTTPAnswer(status: 501, lines: ["the only transfer coding is chunked"])
        }
    }

    package var parting: HTTPAnswer { HTTPAnswer(status: 503, lines: ["the server is stopping"]) }
}

/// Serves pages that can be made at once, to those who only read.
struct HTTPPages: HTTPService {
    /// Gives the page at a path, or `nil` where there is none.
    let page: @Sendable (_ path: String) -> HTTPAnswer?

    func answer(_ request: HTTPRequest, _ reply: @escaping @Sendable (HTTPAnswer) -> Void) {
        guard request.method == "GET" || request.method == "HEAD" else {
            var refusal = HTTPAnswer(status: 405, lines: ["only GET and HEAD"])
            refusal.fields = [HTTPField("Allow", "GET, HEAD")]
            return reply(refusal)
        }
        reply(page(request.path) ?? HTTPAnswer(status: 404, lines: ["there is no such page"]))
    }
}
