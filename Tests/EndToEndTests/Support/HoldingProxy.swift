// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport

/// A TCP proxy before the broker that can keep back what one of the worker's connections sends.
struct HoldingProxy {
    /// A connection, by the last word of the name that it gives itself.
    enum Connection {
        /// The one that consumes and acknowledges.
        case intake
        /// The one that publishes replies and notices.
        case publisher
    }

    private let child: ChildProcess
    private let target: URL

    init(to url: String, holding connection: Connection) throws {
        guard let target = URL(string: url), let port = target.port else { throw TestFailure("no port in \(url)") }
        self.target = target
        child = try ChildProcess(
            "/usr/bin/python3",
            [TestEnvironment.root + "/Tests/Interop/python/hold_connection.py", String(port), " \(connection)"],
            writable: true)
    }

    /// The AMQP URL through the proxy.
    func url() async throws -> String {
        let port = try await firstAnswer(within: .seconds(10), "the proxy's port") {
            child.output.split(separator: "\n").first.map(String.init)
        }
        return "amqp://guest:guest@127.0.0.1:\(port)\(target.path)"
    }

    /// From now on nothing that the connection sends arrives at the broker.
    func hold() async throws {
        try child.write([UInt8(ascii: "\n")])
        try await eventually(within: .seconds(10), "the proxy to hold") { child.output.contains("holding") }
    }
}
