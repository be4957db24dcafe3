// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import FoundationEssentials
import Platform
internal import TokenMessages

/// The configuration file, as written: nothing is checked but that every key is known and has the right kind of value.
package struct ConfigurationFile: Sendable, Hashable {
    /// The single values by key, numbers and switches as text.
    package var values: [String: String] = [:]
    /// The projects, where the file names several.
    package var projects: [Project] = []
    /// The policy, where the file has one.
    var policy: ConfigurationTree?

    /// One project of the file.
    package struct Project: Sendable, Hashable {
        var appID: String?
        var certificate: String?
        var certificateFile: String?
        var secondaryCertificate: String?
        var secondaryCertificateFile: String?
        var activeCertificate: String?
        var isDefault = false
    }

    package init() {}

    /// Reads the file at `path`, which may use JSON5: comments, trailing commas, keys without quotes.
    ///
    /// - Throws: ``ConfigurationError`` when it cannot be read, is not JSON5, or has a key that is not known.
    package init(path: String) throws(ConfigurationError) {
        let bytes: [UInt8]
        do {
            bytes = try TextFile.bytes(at: path)
        } catch {
            throw ConfigurationError("--config", "\(path): \(error.reason)")
        }
        try self.init(text: bytes, name: path)
    }

    /// Reads a file's text; `name` is the file's in complaints.
    package init(text: [UInt8], name: String) throws(ConfigurationError) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            self = try decoder.decode(Self.self, from: Data(text))
        } catch let error as ConfigurationError {
            throw ConfigurationError(error.setting, "\(error.problem) (in \(name))")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            let key = context.codingPath.map { Shown.name($0.stringValue) }.joined(separator: ".")
            throw ConfigurationError(key.isEmpty ? name : key, "has a value of the wrong kind (in \(name))")
        } catch {
            throw ConfigurationError(name, "is not JSON5")
        }
        if let path = RepeatedName.first(in: text) { throw ConfigurationError(path, "is given twice (in \(name))") }
    }
}

extension ConfigurationFile: Decodable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let settings = Setting.all + Setting.gateway
        let known = Set(settings.map(\.key) + settings.filter(\.isSecret).map { "\($0.key)File" })
        for key in container.allKeys {
            if key.stringValue == "projects" {
                projects = try container.decode([Project].self, forKey: key)
            } else if key.stringValue == "policy" {
                policy = try container.decode(ConfigurationTree.self, forKey: key)
            } else if known.contains(key.stringValue) {
                values[key.stringValue] = try container.decode(Scalar.self, forKey: key).text
            } else {
                throw ConfigurationError(Shown.name(key.stringValue), "is not a setting")
            }
        }
    }

    /// A text or a whole number; both are checked as text later, like those of the environment.
    private struct Scalar: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                text = String(number)
            } else {
                text = try container.decode(String.self)
            }
        }
    }
}

extension ConfigurationFile.Project: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case appID = "appId"
        case certificate
        case certificateFile
        case secondaryCertificate
        case secondaryCertificateFile
        case activeCertificate
        case isDefault = "default"
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        let names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        if let unknown = names.first(where: { CodingKeys(stringValue: $0) == nil }) {
            throw ConfigurationError("projects.\(Shown.name(unknown))", "is not a setting")
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        appID = try container.decodeIfPresent(String.self, forKey: .appID)
        certificate = try container.decodeIfPresent(String.self, forKey: .certificate)
        certificateFile = try container.decodeIfPresent(String.self, forKey: .certificateFile)
        secondaryCertificate = try container.decodeIfPresent(String.self, forKey: .secondaryCertificate)
        secondaryCertificateFile = try container.decodeIfPresent(String.self, forKey: .secondaryCertificateFile)
        activeCertificate = try container.decodeIfPresent(String.self, forKey: .activeCertificate)
        isDefault = try container.decodeIfPresent(Bool.self, forKey: .isDefault) ?? false
    }
}
