// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Platform

extension Policy {
    /// Reads the policy: the part of the configuration file, or a file of its own; without either everything is allowed.
    ///
    /// - Parameters:
    ///   - sources: the places that settings come from.
    ///   - projects: those that are configured, which rules may name; nil where they are not known.
    /// - Throws: ``ConfigurationError`` that names the first part that is malformed, or the file that cannot be read.
    package init(_ sources: SettingSources, projects: Projects?) throws(ConfigurationError) {
        let appIDs = projects?.all.map(\.name)
        guard let file = try sources.value(of: .policyFile) else {
            guard let tree = sources.file.policy else {
                self = .everything
                return
            }
            try self.init(tree, at: "policy", projects: appIDs)
            return
        }
        guard sources.file.policy == nil else {
            throw ConfigurationError(file.origin, "is set beside the configuration file's policy; use one of the two")
        }
        let text: [UInt8]
        do throws(TextFile.Failure) {
            text = try TextFile.bytes(at: file.text)
        } catch {
            throw ConfigurationError(file.origin, "\(file.text): \(error.reason)")
        }
        do throws(ConfigurationError) {
            try self.init(ConfigurationTree(text: text, name: file.text), at: "", projects: appIDs)
        } catch {
            throw ConfigurationError(
                error.setting.isEmpty ? file.text : error.setting, "\(error.problem) (in \(file.text))")
        }
    }
}
