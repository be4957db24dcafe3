// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// A pipe whose ends do not wait.
final class Pipe {
    struct Failure: Error {}

    let reader: Int32
    let writer: Int32
    private var isOpen = true

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw Failure() }
        (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        closeReader()
        close(writer)
    }

    /// Writes so many zeros; returns how many were taken, or -1.
    func write(_ count: Int) -> Int {
        unsafe Glibc.write(writer, [UInt8](repeating: 0, count: count), count)
    }

    func closeReader() {
        if isOpen { close(reader) }
        isOpen = false
    }
}
