// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Which privileges a service grants, and for how many seconds after the token's issue time each.
///
/// Zero seconds means "no limit of its own": the privilege then ends with the token.
/// The first four identifiers, which are all that most services have, are stored in place.
public struct Privileges: Sendable, Hashable {
    private var present: UInt8 = 0
    private var near = SIMD4<UInt32>()
    private var far: [Entry] = []

    /// One privilege of the map.
    public struct Entry: Sendable, Hashable {
        /// The identifier that the service gives to the privilege.
        public let id: UInt16
        /// Seconds after the token's issue time, 0 for as long as the token.
        public let seconds: UInt32
    }

    /// Makes an empty map.
    public init() {}

    /// The seconds granted for `id`, nothing when the privilege is not granted.
    public subscript(id: UInt16) -> UInt32? {
        get {
            if let slot = Self.slot(id) {
                return present & (1 &<< UInt8(slot)) == 0 ? nil : near[slot]
            }
            return far.first { $0.id == id }?.seconds
        }
        set {
            if let slot = Self.slot(id) {
                let bit: UInt8 = 1 &<< UInt8(slot)
                present = newValue == nil ? present & ~bit : present | bit
                near[slot] = newValue ?? 0
                return
            }
            far.removeAll { $0.id == id }
            guard let newValue else { return }
            let place = far.firstIndex { $0.id > id } ?? far.endIndex
            // Identifier 0 is the only one before those stored in place; `entries` puts it first.
            far.insert(Entry(id: id, seconds: newValue), at: place)
        }
    }

    /// How many privileges are granted.
    public var count: Int {
        present.nonzeroBitCount + far.count
    }

    /// Whether nothing is granted.
    public var isEmpty: Bool {
        count == 0
    }

    /// The privileges by ascending identifier, the order in which they are signed.
    public var entries: [Entry] {
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        forEach { id, seconds in entries.append(Entry(id: id, seconds: seconds)) }
        return entries
    }

    /// Calls `body` with each privilege, by ascending identifier.
    @inline(__always)
    func forEach(_ body: (UInt16, UInt32) -> Void) {
        var rest = far[...]
        if let first = rest.first, first.id == 0 {
            body(first.id, first.seconds)
            rest = rest.dropFirst()
        }
        for slot in 0..<4 where present & (1 &<< UInt8(slot)) != 0 {
            body(UInt16(slot + 1), near[slot])
        }
        for entry in rest {
            body(entry.id, entry.seconds)
        }
    }

    private static func slot(_ id: UInt16) -> Int? {
        id >= 1 && id <= 4 ? Int(id) - 1 : nil
    }
}

extension Privileges: ExpressibleByDictionaryLiteral {
    /// Makes a map from identifiers and seconds; of a repeated identifier the last one counts.
    public init(dictionaryLiteral elements: (UInt16, UInt32)...) {
        for (id, seconds) in elements {
            self[id] = seconds
        }
    }
}

extension Privileges: CustomStringConvertible {
    /// The map as `[1: 600, 2: 600]`.
    public var description: String {
        isEmpty ? "[:]" : "[" + entries.map { "\($0.id): \($0.seconds)" }.joined(separator: ", ") + "]"
    }
}
