// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc

extension timespec {
    /// What a clock of the system shows.
    ///
    /// The corresponding C function is `clock_gettime`.
    init(of clock: clockid_t) {
        self.init()
        unsafe clock_gettime(clock, &self)
    }
}
