// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import FoundationEssentials
internal import TokenMessages

/// A part of a configuration file as it is written, for those who check it by themselves and name what is wrong.
indirect enum ConfigurationTree: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([ConfigurationTree])
    /// The members by name.
    case object([String: ConfigurationTree])

    /// Reads a JSON5 text.
    ///
    /// - Throws: ``ConfigurationError`` that names the file when it is something else, or a name that is there twice.
    init(text: [UInt8], name: String) throws(ConfigurationError) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            self = try decoder.decode(Self.self, from: Data(text))
        } catch {
            throw ConfigurationError(name, "is not JSON5")
        }
        if let path = RepeatedName.first(in: text) { throw ConfigurationError(path, "is given twice") }
    }

    /// What it is, for complaints; of a text only its beginning, and nothing of one that may be a secret.
    var shown: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let text): Shown.quoted(text)
        case .list: "a list"
        case .object: "an object"
        }
    }
}

extension ConfigurationTree: Decodable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Key.self) {
            var object: [String: ConfigurationTree] = [:]
            for key in members.allKeys { object[key.stringValue] = try members.decode(Self.self, forKey: key) }
            self = .object(object)
            return
        }
        if var items = try? decoder.unkeyedContainer() {
            var list: [ConfigurationTree] = []
            while !items.isAtEnd { list.append(try items.decode(Self.self)) }
            self = .list(list)
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try value.decode(String.self))
        }
    }
}
