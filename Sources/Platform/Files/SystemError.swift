// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// What the system says of errors.
package enum SystemError {
    /// The system's words for an error number.
    ///
    /// The corresponding C function is `strerror`.
    package static func reason(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
