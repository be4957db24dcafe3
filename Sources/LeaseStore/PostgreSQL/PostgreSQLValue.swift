// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// A parameter of a statement, in the binary format.
struct PostgreSQLValue {
    /// Its bytes.
    let bytes: [UInt8]

    /// A `bigint`.
    init(_ number: Int64) {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt64(bitPattern: number))
        self.bytes = bytes
    }

    /// A `uuid`.
    init(key: Key) { bytes = key.bytes }

    /// An array, of one dimension, of elements of the type with an object id.
    private init<Element>(
        type: UInt32, _ elements: [Element], size: Int, _ append: (Element, inout [UInt8]) -> Void
    ) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + elements.count * (size + 4))
        // Dimensions, whether there are NULLs, type; then, for the dimension, its length and first index.
        for word in [elements.isEmpty ? 0 : 1, 1, type] { bytes.append(bigEndian: word) }
        if !elements.isEmpty {
            bytes.append(bigEndian: UInt32(elements.count))
            bytes.append(bigEndian: UInt32(1))
        }
        for element in elements { append(element, &bytes) }
        self.bytes = bytes
    }

    /// A `bigint[]`.
    init(_ numbers: [Int64]) {
        self.init(type: 20, numbers, size: 8) { number, bytes in
            bytes.append(bigEndian: UInt32(8))
            bytes.append(bigEndian: UInt64(bitPattern: number))
        }
    }

    /// A `uuid[]`.
    init(_ keys: [Key?]) {
        self.init(type: 2950, keys, size: 16) { key, bytes in
            guard let key else { return bytes.append(bigEndian: Self.null) }
            bytes.append(bigEndian: UInt32(16))
            bytes.append(bigEndian: key.high)
            bytes.append(bigEndian: key.low)
        }
    }

    /// A `text[]`.
    init(_ texts: [String?]) {
        self.init(type: 25, texts, size: 40) { text, bytes in
            guard let text else { return bytes.append(bigEndian: Self.null) }
            bytes.append(bigEndian: UInt32(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }
    }

    /// A `bytea[]`, or, with `isText`, a `text[]` of UTF-8.
    init(_ blobs: [[UInt8]], isText: Bool = false) {
        self.init(type: isText ? 25 : 17, blobs, size: 160) { blob, bytes in
            bytes.append(bigEndian: UInt32(blob.count))
            bytes.append(contentsOf: blob)
        }
    }

    /// The length that stands for NULL.
    private static let null = UInt32.max
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian word: UInt32) {
        for shift: UInt32 in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: word >> shift)) }
    }

    fileprivate mutating func append(bigEndian word: UInt64) {
        append(bigEndian: UInt32(truncatingIfNeeded: word >> 32))
        append(bigEndian: UInt32(truncatingIfNeeded: word))
    }
}
