// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// A fixed number of plain values, a power of two, that wraps around: an index beyond the end begins again.
///
/// Signing spends its time in small loops over such tables. Wrapping costs one `and` where a bounds check costs a
/// branch, and no index can leave the memory. Copies share the values.
@safe
struct Table<let count: Int, Element: BitwiseCopyable> {
    private let storage: ManagedBuffer<Void, Element>

    /// Makes a table full of `element`.
    init(repeating element: Element) {
        precondition(count.nonzeroBitCount == 1, "the index is wrapped by a mask")
        storage = ManagedBuffer.create(minimumCapacity: count) { _ in }
        fill(with: element)
    }

    /// The value at `index`.
    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            unsafe storage.withUnsafeMutablePointerToElements { unsafe $0[index & (count &- 1)] }
        }
        nonmutating set {
            unsafe storage.withUnsafeMutablePointerToElements { unsafe $0[index & (count &- 1)] = newValue }
        }
    }

    /// Sets every value.
    func fill(with element: Element) {
        unsafe storage.withUnsafeMutablePointerToElements { unsafe $0.initialize(repeating: element, count: count) }
    }

    /// Sets the first `prefix` values.
    @inline(__always)
    func fill(_ prefix: Int, with element: Element) {
        precondition(prefix <= count, "the prefix is part of the table")
        unsafe storage.withUnsafeMutablePointerToElements { unsafe $0.update(repeating: element, count: prefix) }
    }
}
