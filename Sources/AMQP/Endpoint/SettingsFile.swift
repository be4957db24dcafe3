// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform

/// Reads the small files that settings may come from, such as a mounted secret.
enum SettingsFile {
    private static let largest = 65_536

    /// The one line of a file, without its end.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - what: what it should hold, for the error.
    /// - Returns: the line.
    /// - Throws: ``AMQPError/Code/invalidConfiguration``, without the file's content.
    static func line(_ path: String, _ what: String) throws(AMQPError) -> String {
        let lines = try lines(path, what)
        // A zero byte would cut the C string short and log in as somebody else.
        guard lines.count == 1, lines[0].utf8.count <= 255, lines[0].utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
        else {
            throw AMQPError(
                .invalidConfiguration, "the file \(path) must hold the \(what) on one line of at most 255 bytes")
        }
        return String(lines[0])
    }

    /// The URLs of a file, one or several on each line, between spaces.
    ///
    /// Lines that begin with `#` are left out.
    static func endpoints(_ path: String) throws(AMQPError) -> [AMQPURL] {
        var endpoints: [AMQPURL] = []
        for (index, line) in try lines(path, "brokers' URLs").enumerated() where line.first != "#" {
            for text in line.split(separator: " ") {
                do throws(AMQPURLError) {
                    endpoints.append(try AMQPURL(parsing: String(text)))
                } catch {
                    throw AMQPError(.invalidConfiguration, "the file \(path), line \(index + 1): \(error)")
                }
            }
        }
        guard !endpoints.isEmpty else { throw AMQPError(.invalidConfiguration, "the file \(path) holds no URL") }
        return endpoints
    }

    private static func lines(_ path: String, _ what: String) throws(AMQPError) -> [Substring] {
        let bytes: [UInt8]
        do throws(TextFile.Failure) {
            // Not waiting for a writer: a pipe in the place of the file must not hold the connection's thread.
            bytes = try TextFile.bytes(at: path, limit: largest, waits: false)
        } catch {
            throw unreadable(path, what, error)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw AMQPError(.invalidConfiguration, "the file \(path) with the \(what) is no UTF-8 text")
        }
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func unreadable(_ path: String, _ what: String, _ failure: TextFile.Failure) -> AMQPError {
        switch failure {
        case .system(let reason):
            AMQPError(.invalidConfiguration, "the file \(path) with the \(what) cannot be read (\(reason))")
        case .larger(than: let limit):
            AMQPError(.invalidConfiguration, "the file \(path) is longer than \(limit) bytes")
        }
    }
}
