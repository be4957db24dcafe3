// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import TokenWorker

/// Reads standard input line by line, as many lines at a time as have arrived.
struct StandardInput {
    /// The longest line that is kept whole, in bytes; a longer one is answered as one that is not JSON.
    private static let longestLine = 1 << 20

    private var pending: [UInt8] = []
    private var isTooLong = false
    private var chunk = [UInt8](repeating: 0, count: 1 << 16)

    /// Calls `answer` with each line that is not empty, and prints what it returns as lines.
    ///
    /// The answers to what arrived at once are written at once, so that neither a pipe nor a person waits.
    mutating func answer(to output: FileWriter, _ answer: ([UInt8]) -> [UInt8]) {
        var answers: [UInt8] = []
        while output.failure == nil {
            let count = unsafe read(0, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            for byte in chunk[..<count] {
                if byte == UInt8(ascii: "\n") {
                    finish(&answers, answer)
                } else if pending.count < Self.longestLine {
                    pending.append(byte)
                } else {
                    isTooLong = true
                }
            }
            output.write(answers)
            answers.removeAll(keepingCapacity: true)
        }
        finish(&answers, answer)
        output.write(answers)
    }

    private mutating func finish(_ answers: inout [UInt8], _ answer: ([UInt8]) -> [UInt8]) {
        defer {
            pending.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        guard isTooLong || !pending.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return }
        // What was cut off cannot be read; the rest of it is not kept.
        answers += answer(isTooLong ? [] : pending)
        answers.append(UInt8(ascii: "\n"))
    }
}
