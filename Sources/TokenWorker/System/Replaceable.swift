// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Synchronization

/// A value that is replaced as a whole while others use it.
///
/// Whoever reads it has one state of it, for as long as it likes.
final class Replaceable<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    /// The value as it is now.
    var current: Value { value.withLock { $0 } }

    /// Replaces it, for those who read it from now on.
    func replace(with new: Value) { value.withLock { $0 = new } }
}
