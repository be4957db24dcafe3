// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TestSupport

/// A socket as systemd opens one for its services, and what they send to it.
final class ServiceManager: Sendable {
    /// Prints each datagram on one line.
    private static let program = """
        import os, socket, sys
        end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        end.bind("\\0" + sys.argv[1])
        print("bound", flush=True)
        while True:
            print(end.recv(4096).decode().replace("\\n", "|"), flush=True)
        """

    private let name = TestEnvironment.uniqueName("agora-token-notify")
    private let listener: ChildProcess

    /// Opens the socket, which ends with this object.
    init() async throws {
        let listener = try ChildProcess("/usr/bin/python3", ["-c", Self.program, name])
        self.listener = listener
        try await eventually(within: .seconds(10), "the socket") { listener.output.hasPrefix("bound\n") }
    }

    /// The variables that systemd gives to a service whose watchdog bites after `watchdog` without a word.
    func environment(watchdog: Duration) -> [String: String] {
        ["NOTIFY_SOCKET": "@\(name)", "WATCHDOG_USEC": String(Int64(watchdog / .microseconds(1)))]
    }

    /// What was heard so far: the assignments of a message between bars.
    var heard: [String] { listener.output.split(separator: "\n").dropFirst().map(String.init) }
}
