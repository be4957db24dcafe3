// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// 128 KiB of bytes that are read and written a word at a time, at any position.
///
/// As in ``Table``, a position beyond the end begins again, so that none can leave the memory; the largest payload
/// and its stream are half as long. Copies share the bytes.
@safe
struct Bytes {
    /// How many positions there are.
    static let count = 1 &<< 17
    /// A word at the last position ends this many bytes further.
    private static let margin = 8

    private let storage: ManagedBuffer<Void, UInt8>

    init() {
        storage = ManagedBuffer.create(minimumCapacity: Self.count + Self.margin) { _ in }
        unsafe storage.withUnsafeMutablePointerToElements {
            unsafe $0.initialize(repeating: 0, count: Self.count + Self.margin)
        }
    }

    /// The byte at `position`.
    @inline(__always)
    subscript(position: Int) -> UInt8 {
        get { load(position, as: UInt8.self) }
        nonmutating set { store(newValue, at: position) }
    }

    /// The little-endian integer at `position`, of at most 8 bytes.
    @inline(__always)
    func load<Word: FixedWidthInteger & BitwiseCopyable>(_ position: Int, as word: Word.Type) -> Word {
        unsafe storage.withUnsafeMutablePointerToElements {
            Word(
                littleEndian: unsafe UnsafeRawPointer($0 + (position & (Self.count &- 1)))
                    .loadUnaligned(as: Word.self))
        }
    }

    /// Writes an integer of at most 8 bytes at `position`, little-endian.
    @inline(__always)
    func store<Word: FixedWidthInteger & BitwiseCopyable>(_ value: Word, at position: Int) {
        unsafe storage.withUnsafeMutablePointerToElements {
            unsafe UnsafeMutableRawPointer($0 + (position & (Self.count &- 1)))
                .storeBytes(of: value.littleEndian, as: Word.self)
        }
    }

    /// Writes all of `bytes`, which must fit, at `position`.
    @inline(__always)
    func store(_ bytes: Span<UInt8>, at position: Int) {
        precondition(position >= 0 && position <= Self.count - bytes.count, "the bytes fit into the buffer")
        unsafe storage.withUnsafeMutablePointerToElements { target in
            unsafe bytes.withUnsafeBufferPointer { source in
                guard let start = source.baseAddress else { return }
                unsafe (target + position).update(from: start, count: source.count)
            }
        }
    }

    /// Copies `count` bytes from `position` of `source`.
    func copy(_ count: Int, from source: Bytes, at start: Int, to position: Int) {
        precondition(start >= 0 && start + count <= Self.count, "the bytes are in the buffer")
        precondition(position >= 0 && position + count <= Self.count, "the bytes fit into the buffer")
        unsafe source.storage.withUnsafeMutablePointerToElements { from in
            unsafe storage.withUnsafeMutablePointerToElements { target in
                unsafe (target + position).update(from: from + start, count: count)
            }
        }
    }

    /// The first `count` bytes as an array.
    func array(_ count: Int) -> [UInt8] {
        precondition(count >= 0 && count <= Self.count, "the bytes are in the buffer")
        return unsafe storage.withUnsafeMutablePointerToElements {
            unsafe Array(UnsafeBufferPointer(start: $0, count: count))
        }
    }

    /// The first `count` bytes, which must be ASCII, as text.
    func text(_ count: Int) -> String {
        precondition(count >= 0 && count <= Self.count, "the bytes are in the buffer")
        return unsafe storage.withUnsafeMutablePointerToElements {
            unsafe String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
    }
}
