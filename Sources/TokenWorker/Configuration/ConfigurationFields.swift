// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

/// The members of an object in a configuration file, each of which is asked for once; what is left over is not known.
struct ConfigurationFields {
    /// Where the object is, as `policy.rules[0]`.
    let path: String
    private let members: [String: ConfigurationTree]
    private var known: Set<String> = []

    /// Takes an object.
    ///
    /// - Throws: ``ConfigurationError`` when it is something else.
    init(_ tree: ConfigurationTree, at path: String) throws(ConfigurationError) {
        guard case .object(let members) = tree else {
            throw ConfigurationError(path, "is \(tree.shown); it must be an object in braces")
        }
        self.path = path
        self.members = members
    }

    /// Whether a member is there.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// Where a member is.
    func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// A member as it is; nil where it is not there.
    mutating func tree(_ name: String) -> ConfigurationTree? {
        known.insert(name)
        return members[name]
    }

    /// A text.
    mutating func text(_ name: String) throws(ConfigurationError) -> String? {
        guard let value = tree(name) else { return nil }
        guard case .text(let text) = value else { throw wrong(name, value, "a text in quotes") }
        return text
    }

    /// `true` or `false`.
    mutating func bool(_ name: String) throws(ConfigurationError) -> Bool? {
        guard let value = tree(name) else { return nil }
        guard case .bool(let bool) = value else { throw wrong(name, value, "true or false") }
        return bool
    }

    /// A whole number within a range.
    mutating func integer(_ name: String, in range: ClosedRange<Int64>) throws(ConfigurationError) -> Int64? {
        guard let value = tree(name) else { return nil }
        guard case .integer(let number) = value, range.contains(number) else {
            throw wrong(name, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number within a range.
    mutating func number(_ name: String, in range: ClosedRange<Double>) throws(ConfigurationError) -> Double? {
        let number: Double
        switch tree(name) {
        case nil: return nil
        case .integer(let value)? where range.contains(Double(value)): number = Double(value)
        case .number(let value)? where range.contains(value): number = value
        case let value?: throw wrong(name, value, "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A list, each item read by `item`, which is told where it is.
    mutating func list<Item>(
        _ name: String, _ item: (ConfigurationTree, String) throws(ConfigurationError) -> Item
    ) throws(ConfigurationError) -> [Item]? {
        guard let value = tree(name) else { return nil }
        guard case .list(let list) = value else { throw wrong(name, value, "a list in square brackets") }
        var items: [Item] = []
        for (position, tree) in list.enumerated() {
            items.append(try item(tree, "\(path(of: name))[\(position)]"))
        }
        return items
    }

    /// Ends the reading.
    ///
    /// - Throws: ``ConfigurationError`` that names the first member, by the alphabet, that nobody asked for.
    func end() throws(ConfigurationError) {
        guard let unknown = members.keys.filter({ !known.contains($0) }).min() else { return }
        throw ConfigurationError(
            path(of: Shown.name(unknown)), "is not a setting; there are \(known.sorted().joined(separator: ", "))")
    }

    private func wrong(_ name: String, _ value: ConfigurationTree, _ right: String) -> ConfigurationError {
        ConfigurationError(path(of: name), "is \(value.shown); it must be \(right)")
    }
}
