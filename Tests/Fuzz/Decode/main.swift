// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

// Without --sanitize=fuzzer, which begins elsewhere, the program does nothing.
