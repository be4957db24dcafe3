// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import CMicroHTTPD
import Glibc

/// Reads the head of a request out of the library.
enum HTTPHead {
    private final class Fields {
        var list: [HTTPField] = []
    }

    /// The request without its body; bytes that are not UTF-8 are replaced.
    static func request(
        _ connection: OpaquePointer, method: UnsafePointer<CChar>, path: UnsafePointer<CChar>
    ) -> HTTPRequest {
        let fields = Fields()
        _ = unsafe cmicrohttpd_fields(
            connection,
            { @Sendable context, _, name, value in
                guard let context = unsafe context, let name = unsafe name else { return .YES }
                let fields = unsafe Unmanaged<Fields>.fromOpaque(context).takeUnretainedValue()
                let text = unsafe value.map { unsafe String(cString: $0) }
                fields.list.append(HTTPField(unsafe String(cString: name), text ?? ""))
                return .YES
            }, Unmanaged.passUnretained(fields).toOpaque())
        return unsafe HTTPRequest(
            method: String(cString: method), path: String(cString: path), fields: fields.list, peer: peer(connection))
    }

    private static func peer(_ connection: OpaquePointer) -> String {
        guard let address = unsafe cmicrohttpd_peer(connection) else { return "" }
        let length =
            unsafe Int32(address.pointee.sa_family) == AF_INET6
            ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = unsafe getnameinfo(
            address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        guard status == 0 else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
