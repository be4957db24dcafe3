// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Glibc

/// Makes folders for files of this program's own choice.
enum Folder {
    /// Makes the folders above `path` that are missing, for this user alone.
    ///
    /// Whoever opens the file then says what is wrong, if anything is.
    static func make(for path: String) {
        var folder = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/").dropLast() {
            folder += "/" + part
            unsafe mkdir(folder, 0o700)
        }
    }
}
