// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// How many files, sockets and the like this process may have open at once.
package enum OpenFiles {
    /// Raises the limit as far as the system lets this process.
    ///
    /// The corresponding C functions are `getrlimit` and `setrlimit`.
    ///
    /// - Parameter wanted: the number that would do; more is left as it is.
    /// - Returns: the limit that holds now.
    package static func allow(_ wanted: UInt) -> UInt {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return wanted }
        let before = limit.rlim_cur
        guard before < rlim_t(wanted) else { return UInt(clamping: before) }
        limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
        return UInt(clamping: unsafe setrlimit(resource, &limit) == 0 ? limit.rlim_cur : before)
    }
}
