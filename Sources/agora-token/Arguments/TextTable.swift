// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Rows of cells under titles, with columns as wide as they need; nothing for no rows.
struct TextTable {
    let titles: [String]
    var rows: [[String]] = []

    /// The lines, without spaces at their ends.
    var lines: [String] {
        guard !rows.isEmpty else { return [] }
        let all = [titles] + rows
        let widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            var line = ""
            for column in row.indices {
                line += row[column]
                if column < row.count - 1 {
                    line += String(repeating: " ", count: widths[column] - row[column].count + 2)
                }
            }
            return line
        }
    }
}
