// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform

/// Where a server says what became of each message, one line per outcome.
package struct Log: Sendable {
    private let format: LogFormat
    private let writer: FileWriter

    package init(format: LogFormat, writer: FileWriter = .standardError) {
        self.format = format
        self.writer = writer
    }

    /// Starts a batch of lines.
    func batch() -> LogBatch { LogBatch(format: format, milliseconds: WallClock.milliseconds()) }

    /// Writes a batch.
    func write(_ batch: LogBatch) {
        if !batch.bytes.isEmpty { writer.write(batch.bytes) }
    }

    /// Writes one line at once.
    package func line(_ level: LogBatch.Level, _ event: String, _ fields: (inout LogBatch.Fields) -> Void = { _ in }) {
        var batch = batch()
        batch.add(level, event, fields)
        write(batch)
    }
}
