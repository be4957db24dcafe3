// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import Glibc
import Synchronization

extension ChildProcess {
    // One at a time, so that no child inherits the pipe of another that is being started.
    private static let turn = Mutex(())

    /// Starts a program with nothing inherited but the three standard files, and no signal blocked.
    static func spawn(
        _ arguments: [String], environment: [String], writable: Bool, output: String, error: String
    ) throws -> (process: Int32, input: Int32?) {
        try turn.withLock { _ in
            var pipe: [Int32] = [-1, -1]
            if writable {
                Glibc.signal(SIGPIPE, SIG_IGN)
                if unsafe Glibc.pipe(&pipe) != 0 { throw TestFailure("no pipe: errno \(errno)") }
            }

            var actions = unsafe posix_spawn_file_actions_t()
            unsafe posix_spawn_file_actions_init(&actions)
            defer { unsafe posix_spawn_file_actions_destroy(&actions) }
            if writable {
                unsafe posix_spawn_file_actions_adddup2(&actions, pipe[0], 0)
            } else {
                unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            }
            let create = O_WRONLY | O_CREAT | O_APPEND
            unsafe posix_spawn_file_actions_addopen(&actions, 1, output, create, 0o600)
            unsafe posix_spawn_file_actions_addopen(&actions, 2, error, create, 0o600)
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                if let file = Int32(name), file > 2 { unsafe posix_spawn_file_actions_addclose(&actions, file) }
            }

            var attributes = posix_spawnattr_t()
            unsafe posix_spawnattr_init(&attributes)
            defer { unsafe posix_spawnattr_destroy(&attributes) }
            var none = sigset_t()
            unsafe sigemptyset(&none)
            unsafe posix_spawnattr_setsigmask(&attributes, &none)
            // The tests themselves ignore this one, to outlive children that do not read what they are told.
            var pipeSignal = none
            unsafe sigaddset(&pipeSignal, SIGPIPE)
            unsafe posix_spawnattr_setsigdefault(&attributes, &pipeSignal)
            unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

            let vector = CStringVector(arguments)
            let variables = CStringVector(environment)
            var process: pid_t = 0
            let status = withExtendedLifetime((vector, variables)) {
                unsafe posix_spawnp(
                    &process, arguments[0], &actions, &attributes, vector.pointers, variables.pointers)
            }
            if writable { close(pipe[0]) }
            guard status == 0 else {
                if writable { close(pipe[1]) }
                throw TestFailure("cannot start \(arguments[0]): errno \(status)")
            }
            return (process, writable ? pipe[1] : nil)
        }
    }
}

/// C strings in the form that exec takes: an array of pointers that ends with nil.
@safe private final class CStringVector {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        unsafe pointers = .allocate(capacity: count + 1)
        for index in 0..<count { unsafe pointers[index] = strdup(strings[index]) }
        unsafe pointers[count] = nil
    }

    deinit {
        for index in 0..<count { unsafe free(pointers[index]) }
        unsafe pointers.deallocate()
    }
}
