// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

/// Standard input, output and error.
package enum StandardDescriptors {
    /// Fills those in that whoever started the program has closed.
    ///
    /// Else the first socket or file that is opened has one of their numbers, and what is printed goes there.
    package static func complete() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
            // It gets the lowest number that is free. What is written to it fails, since it is for reading.
            _ = unsafe open("/dev/null", O_RDONLY)
        }
    }
}
