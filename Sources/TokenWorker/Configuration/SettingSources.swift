// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Platform
internal import TokenMessages

/// The places that settings come from, the nearest first: flag, environment, file, each before the next.
package struct SettingSources: Sendable {
    /// Values by flag name without the dashes.
    package var flags: [String: String]
    package var environment: [String: String]
    package var file: ConfigurationFile

    package init(
        flags: [String: String] = [:], environment: [String: String] = [:], file: ConfigurationFile = .init()
    ) {
        self.flags = flags
        self.environment = environment
        self.file = file
    }

    /// A setting's text, and the name by which it was set, for complaints.
    package struct Value: Sendable, Hashable {
        package let text: String
        package let origin: String
    }

    /// The value of a setting, or `nil` where none of the places has it.
    ///
    /// - Throws: ``ConfigurationError`` when a `…_FILE` that was named cannot be read, or two forms contradict.
    package func value(of setting: Setting) throws(ConfigurationError) -> Value? {
        if let flag = setting.flag, let text = flags[flag] {
            guard flag.hasSuffix("-file") else { return Value(text: text, origin: "--\(flag)") }
            return Value(text: try Self.secret(at: text, origin: "--\(flag)"), origin: "--\(flag)")
        }
        let variable = setting.variable
        let fileVariable = "\(variable)_FILE"
        let path = setting.isSecret ? environment[fileVariable] : nil
        if let text = environment[variable] {
            if path != nil { throw ConfigurationError(variable, "is set beside \(fileVariable); set one of the two") }
            return Value(text: text, origin: variable)
        }
        if let path { return Value(text: try Self.secret(at: path, origin: fileVariable), origin: fileVariable) }
        let fileKey = "\(setting.key)File"
        let keyPath = setting.isSecret ? file.values[fileKey] : nil
        if let text = file.values[setting.key] {
            if keyPath != nil { throw ConfigurationError(setting.key, "is set beside \(fileKey); set one of the two") }
            return Value(text: text, origin: setting.key)
        }
        return try keyPath.map { path throws(ConfigurationError) in
            Value(text: try Self.secret(at: path, origin: fileKey), origin: fileKey)
        }
    }

    /// The file that the value of a setting is read from, or `nil` where it comes from none.
    package func file(of setting: Setting) -> String? {
        if let flag = setting.flag, let text = flags[flag] { return flag.hasSuffix("-file") ? text : nil }
        guard setting.isSecret, environment[setting.variable] == nil else { return nil }
        if let path = environment["\(setting.variable)_FILE"] { return path }
        return file.values[setting.key] == nil ? file.values["\(setting.key)File"] : nil
    }

    /// A whole number within `range`, or `nil` where it is not set.
    ///
    /// - Throws: ``ConfigurationError`` that names the value and the range.
    package func integer<Number: FixedWidthInteger>(
        _ setting: Setting, in range: ClosedRange<Number>
    ) throws(ConfigurationError) -> Number? {
        guard let value = try value(of: setting) else { return nil }
        guard let number = Number(value.text), range.contains(number) else {
            throw ConfigurationError(
                value.origin,
                "\(Shown.quoted(value.text)) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The one line of a secret's file, without the end of the line.
    static func secret(at path: String, origin: String) throws(ConfigurationError) -> String {
        let bytes: [UInt8]
        do {
            bytes = try TextFile.bytes(at: path, limit: 65_536)
        } catch {
            // It may be the secret itself, in place of its file.
            let isPath = path.hasPrefix("/") || path.hasPrefix(".")
            throw ConfigurationError(origin, "\(isPath ? path : "the file that it names"): \(error.reason)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(origin, "\(path): is not text")
        }
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.count == 1, let line = lines.first else {
            throw ConfigurationError(origin, "\(path): must hold one line")
        }
        return String(line)
    }
}
