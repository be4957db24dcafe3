// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension SettingSources {
    /// The settings as they count now, to be compared with a later reading; for this process alone.
    ///
    /// - Throws: ``ConfigurationError`` as ``value(of:)`` does.
    package func snapshot() throws(ConfigurationError) -> SettingsSnapshot {
        var texts: [String: String] = [:]
        for setting in Setting.all where !setting.isReloaded {
            // The broker's file is read again at each attempt to connect: only another file is a change.
            texts[setting.key] =
                if setting == .broker, let path = file(of: setting) { path } else { try value(of: setting)?.text }
        }
        return SettingsSnapshot(texts: texts)
    }
}

/// The settings that count from a start to the next, at one moment.
package struct SettingsSnapshot: Sendable, CustomStringConvertible {
    fileprivate let texts: [String: String]

    /// The settings that differ in a later reading, by their keys in the file.
    package func changes(to later: SettingsSnapshot) -> [String] {
        Setting.all.map(\.key).filter { texts[$0] != later.texts[$0] }
    }

    /// No values: some are secrets.
    package var description: String { "\(texts.count) settings" }
}
