// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Policy {
    /// The most rules of a policy, all of which a message may have to be held against.
    static let mostRules = 1000

    /// Reads what a configuration file says.
    ///
    /// - Parameters:
    ///   - tree: the object with the policy.
    ///   - path: where it is, for complaints.
    ///   - projects: the App IDs that are configured, nil where they are not known.
    /// - Throws: ``ConfigurationError`` that names the first part that is not known or malformed.
    init(_ tree: ConfigurationTree, at path: String, projects: [String]?) throws(ConfigurationError) {
        var fields = try ConfigurationFields(tree, at: path)
        requiresUser = try fields.bool("requireUser") ?? false
        ownReplyQueues = try fields.bool("ownReplyQueues") ?? false
        let reader = PolicyReader(projects: projects)
        rules = try fields.list("rules") { (tree, path) throws(ConfigurationError) in try reader.rule(tree, at: path) }
        try fields.end()
        guard let rules else { return }
        guard rules.count <= Self.mostRules else {
            throw ConfigurationError(
                fields.path(of: "rules"), "has \(rules.count) rules; it must not have more than \(Self.mostRules)")
        }
        var names: Set<String> = []
        for (position, rule) in rules.enumerated() where !names.insert(rule.name).inserted {
            throw ConfigurationError(
                "\(fields.path(of: "rules"))[\(position)].name", "is \"\(rule.name)\", as an earlier rule's name")
        }
    }
}
