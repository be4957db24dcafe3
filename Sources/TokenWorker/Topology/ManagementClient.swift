// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import CCurl
internal import Synchronization

/// Speaks with the broker's management HTTP API, or asks a worker for a page.
package struct ManagementClient: Sendable {
    /// An answer of the API.
    package struct Response: Sendable, Hashable {
        package let status: Int
        package let body: [UInt8]
        /// The server's clock, in seconds since 1970, where the answer has it.
        package let date: Int64?
    }

    /// Why there was no answer; never a password.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    private static let initialized: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    /// More than any answer that is read here has.
    private static let largestBody = 8 << 20

    private let base: String
    private let user: String
    private let password: String

    /// Names the API.
    ///
    /// - Parameters:
    ///   - base: `http://HOST:PORT`, with or without a slash at its end.
    ///   - user: who asks; nobody in particular where it is empty.
    ///   - password: the user's password.
    package init(base: String, user: String = "", password: String = "") {
        self.base = String(base.reversed().drop { $0 == "/" }.reversed())
        self.user = user
        self.password = password
    }

    /// Asks for `path`, which begins with a slash and is percent-encoded.
    ///
    /// - Throws: ``Failure`` when no answer came within ten seconds.
    package func send(_ method: String, _ path: String, body: [UInt8] = []) throws(Failure) -> Response {
        guard Self.initialized, let handle = unsafe curl_easy_init() else {
            throw Failure(description: "the HTTP library does not start")
        }
        defer { unsafe curl_easy_cleanup(handle) }
        let headers = unsafe curl_slist_append(nil, "Content-Type: application/json")
        defer { unsafe curl_slist_free_all(headers) }
        let received = Received(limit: Self.largestBody)
        var texts = [
            (CURLOPT_URL, base + path), (CURLOPT_CUSTOMREQUEST, method), (CURLOPT_PROTOCOLS_STR, "http,https"),
        ]
        // Pages that need no user are those of this host, which no proxy has.
        texts += user.isEmpty ? [(CURLOPT_NOPROXY, "*")] : [(CURLOPT_USERNAME, user), (CURLOPT_PASSWORD, password)]
        for (option, text) in texts { unsafe ccurl_set_text(handle, option, text) }
        unsafe ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, 10_000)
        unsafe ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        unsafe ccurl_set_list(handle, CURLOPT_HTTPHEADER, headers)
        unsafe ccurl_set_writer(
            handle,
            { @Sendable bytes, _, count, context in
                guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
                let received = unsafe Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
                let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
                return unsafe received.append(piece) ? count : 0
            }, Unmanaged.passUnretained(received).toOpaque())
        let status = unsafe body.withUnsafeBytes { buffer in
            if unsafe !buffer.isEmpty {
                unsafe ccurl_set_number(handle, CURLOPT_POSTFIELDSIZE, buffer.count)
                unsafe ccurl_set_text(handle, CURLOPT_POSTFIELDS, buffer.bindMemory(to: CChar.self).baseAddress)
            }
            return unsafe curl_easy_perform(handle)
        }
        guard status == CURLE_OK else {
            let reason = unsafe curl_easy_strerror(status).map { unsafe String(cString: $0) } ?? "no answer"
            throw Failure(description: "\(Self.withoutSecrets(base)): \(reason)")
        }
        return Response(
            status: unsafe ccurl_response_code(handle), body: received.bytes, date: unsafe Self.date(handle))
    }

    /// The corresponding C functions are `curl_easy_header` and `curl_getdate`.
    private static func date(_ handle: UnsafeMutableRawPointer) -> Int64? {
        var header: UnsafeMutablePointer<curl_header>?
        guard unsafe curl_easy_header(handle, "date", 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK,
            let text = unsafe header?.pointee.value
        else { return nil }
        let seconds = unsafe curl_getdate(text, nil)
        return seconds < 0 ? nil : Int64(seconds)
    }

    /// A URL without a user or password before its host.
    private static func withoutSecrets(_ url: String) -> String {
        guard let at = url.lastIndex(of: "@") else { return url }
        return url.prefix { $0 != ":" } + "://" + url[url.index(after: at)...]
    }

    /// A body as it comes in.
    private final class Received: Sendable {
        private let content = Mutex<[UInt8]>([])
        private let limit: Int

        init(limit: Int) { self.limit = limit }

        var bytes: [UInt8] { content.withLock { $0 } }

        /// Takes a piece; returns false when that is too much.
        func append(_ piece: UnsafeRawBufferPointer) -> Bool {
            content.withLock { content in
                guard content.count + piece.count <= limit else { return false }
                unsafe content.append(contentsOf: piece)
                return true
            }
        }
    }
}
