// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken
internal import TokenMessages

/// Reads the parts of rules.
struct PolicyReader {
    /// The App IDs that are configured, nil where they are not known.
    let projects: [String]?

    func rule(_ tree: ConfigurationTree, at path: String) throws(ConfigurationError) -> PolicyRule {
        var fields = try ConfigurationFields(tree, at: path)
        guard let name = try fields.text("name") else {
            throw ConfigurationError(fields.path(of: "name"), "is missing; refusals name the rule by it")
        }
        guard Self.isName(name) else {
            throw ConfigurationError(
                fields.path(of: "name"),
                "is \(ConfigurationTree.text(name).shown); it must be 1 to 64 letters, digits, dots, dashes and underscores"
            )
        }
        var rule = PolicyRule(name: name)
        if let tree = fields.tree("for") { rule.subject = try subject(tree, at: fields.path(of: "for")) }
        let isDenied = try fields.bool("deny") ?? false
        if let tree = fields.tree("allow") {
            if isDenied {
                throw ConfigurationError(fields.path(of: "deny"), "is true beside allow; a rule has one of them")
            }
            rule.allowance = try allowance(tree, at: fields.path(of: "allow"))
        } else if !isDenied {
            throw ConfigurationError(
                fields.path(of: "allow"), "is missing; allow: {} allows everything but wildcards, deny: true nothing")
        }
        try fields.end()
        return rule
    }

    private func subject(_ tree: ConfigurationTree, at path: String) throws(ConfigurationError) -> PolicySubject {
        var fields = try ConfigurationFields(tree, at: path)
        var subject = PolicySubject()
        subject.users = try fields.list("users", Self.pattern)
        subject.apps = try fields.list("apps", Self.pattern)
        subject.anonymous = try fields.bool("anonymous")
        subject.appIDs = try fields.list("appIds", project)
        subject.services = try fields.list("services", Self.service)
        subject.channels = try fields.list("channels", Self.pattern)
        try fields.end()
        return subject
    }

    private func allowance(_ tree: ConfigurationTree, at path: String) throws(ConfigurationError) -> PolicyAllowance {
        var fields = try ConfigurationFields(tree, at: path)
        var allowance = PolicyAllowance()
        allowance.appIDs = try fields.list("appIds", project)
        allowance.services = try fields.list("services", Self.service)
        allowance.channels = try fields.list("channels", Self.pattern)
        allowance.roles = try fields.list("roles", Self.role)
        allowance.identity = try fields.choice("identity", PolicyAllowance.Identity.self)
        allowance.longestLifetime = try fields.integer("maxExpire", in: 1...Int64(Grant.longestLifetime)).map {
            UInt32($0)
        }
        allowance.wildcardUser = try fields.bool("wildcardUser") ?? false
        allowance.wildcardChannel = try fields.bool("wildcardChannel") ?? false
        allowance.anyLeases = try fields.choice("leases", Leases.self) == .any
        if let tree = fields.tree("rate") { allowance.rate = try Self.rate(tree, at: fields.path(of: "rate")) }
        try fields.end()
        return allowance
    }

    /// Whose leases.
    private enum Leases: String, CaseIterable {
        case own
        case any
    }

    private static func rate(_ tree: ConfigurationTree, at path: String) throws(ConfigurationError) -> Rate {
        var fields = try ConfigurationFields(tree, at: path)
        let perSecond = try fields.number("perSecond", in: Rate.slowest...Rate.fastest)
        let burst = try fields.integer("burst", in: 1...Int64(Rate.largestBurst))
        try fields.end()
        guard let perSecond else {
            throw ConfigurationError(fields.path(of: "perSecond"), "is missing; it is how often each caller may ask")
        }
        return Rate(perSecond: perSecond, burst: burst.map { Double($0) } ?? max(1, perSecond.rounded(.up)))
    }

    private static func pattern(_ tree: ConfigurationTree, _ path: String) throws(ConfigurationError) -> TextPattern {
        guard case .text(let text) = tree, 1...TextPattern.longest ~= text.utf8.count else {
            throw ConfigurationError(
                path, "is \(tree.shown); it must be a text of 1 to \(TextPattern.longest) bytes, where * is any text")
        }
        return TextPattern(text)
    }

    private func project(_ tree: ConfigurationTree, _ path: String) throws(ConfigurationError) -> String {
        guard case .text(let text) = tree, (try? AppID(text)) != nil else {
            throw ConfigurationError(path, "is \(tree.shown); it must be an App ID, 32 hexadecimal characters")
        }
        if let projects, !projects.contains(text) {
            throw ConfigurationError(path, "is \(tree.shown), which is none of the projects that are configured")
        }
        return text
    }

    private static func service(_ tree: ConfigurationTree, _ path: String) throws(ConfigurationError) -> ServiceName {
        guard case .text(let text) = tree, let service = ServiceName(rawValue: text) else {
            let names = ServiceName.allCases.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError(path, "is \(tree.shown); it must be one of \(names)")
        }
        return service
    }

    private static func role(_ tree: ConfigurationTree, _ path: String) throws(ConfigurationError) -> Role {
        let role: Role? =
            switch tree {
            case .text(let text): Role.allCases.first { $0.name == text }
            case .integer(let number): Int(exactly: number).flatMap(Role.init(rawValue:))
            default: nil
            }
        guard let role else {
            throw ConfigurationError(path, "is \(tree.shown); it must be \"publisher\" or \"subscriber\"")
        }
        return role
    }

    /// Rule names travel in replies and logs, so they are plain.
    private static func isName(_ name: String) -> Bool {
        1...64 ~= name.utf8.count
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

extension ConfigurationFields {
    /// One of the words of `type`.
    fileprivate mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws(ConfigurationError) -> Choice? {
        guard let text = try text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
            throw ConfigurationError(path(of: name), "is \(ConfigurationTree.text(text).shown); it must be \(words)")
        }
        return choice
    }
}
