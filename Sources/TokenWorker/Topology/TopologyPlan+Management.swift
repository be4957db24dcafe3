// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import TokenMessages

extension TopologyPlan {
    /// Sets the policies.
    ///
    /// - Throws: ``Fault`` for the first that the API refuses, ``ManagementClient/Failure`` when it does not answer.
    package func applyPolicies(with client: ManagementClient, virtualHost: String) throws {
        for policy in policies {
            let path = Self.path(of: policy, virtualHost)
            let response = try client.send("PUT", path, body: policy.body)
            guard (200..<300).contains(response.status) else { throw Self.refusal(policy, response) }
        }
    }

    /// The policies that are missing or different, changing nothing.
    ///
    /// - Throws: ``ManagementClient/Failure`` when the API does not answer.
    package func wrongPolicies(with client: ManagementClient, virtualHost: String) throws -> [Fault] {
        var faults: [Fault] = []
        for policy in policies {
            let response = try client.send("GET", Self.path(of: policy, virtualHost))
            if response.status == 404 {
                faults.append(Fault(description: "policy \(policy.name) is missing"))
            } else if response.status != 200 {
                faults.append(Self.refusal(policy, response))
            } else {
                faults += policy.differences(from: response.body)
            }
        }
        return faults
    }

    private static func path(of policy: Policy, _ virtualHost: String) -> String {
        "/api/policies/\(percentEncoded(virtualHost))/\(percentEncoded(policy.name))"
    }

    private static func refusal(_ policy: Policy, _ response: ManagementClient.Response) -> Fault {
        let reason = (try? JSONReader.read(response.body))?.member("reason")?.stringValue
        let shown = reason.map { ": \($0)" } ?? ""
        return Fault(description: "policy \(policy.name): the management API answers \(response.status)\(shown)")
    }

    static func percentEncoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                encoded += byte < 16 ? "%0" : "%"
                encoded += String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}

extension TopologyPlan.Policy {
    /// The policy as the API takes it.
    var body: [UInt8] { JSONLayout.text(.object(members)) }

    /// The policy as the API and definitions name its parts.
    var members: [JSONMember] {
        let limits = definition.map { limit in
            switch limit {
            case .number(let name, let number): JSONMember(name: name, value: .integer(number))
            case .text(let name, let text): JSONMember(name: name, value: .string(text))
            }
        }
        return [
            JSONMember(name: "pattern", value: .string(pattern)),
            JSONMember(name: "apply-to", value: .string("queues")), JSONMember(name: "priority", value: .integer(0)),
            JSONMember(name: "definition", value: .object(limits)),
        ]
    }

    /// What the API says otherwise.
    ///
    /// Limits that an operator has changed count too: they are shown, not judged.
    func differences(from body: [UInt8]) -> [TopologyPlan.Fault] {
        guard let found = try? JSONReader.read(body) else {
            return [.init(description: "policy \(name) is unreadable")]
        }
        var faults: [TopologyPlan.Fault] = []
        func compare(_ key: String, _ expected: JSONValue, _ actual: JSONValue?) {
            guard actual != expected else { return }
            let shown = actual.map(Self.shown) ?? "missing"
            faults.append(
                .init(description: "policy \(name): \(key) is \(shown) instead of \(Self.shown(expected))"))
        }
        compare("pattern", .string(pattern), found.member("pattern"))
        for limit in definition {
            switch limit {
            case .number(let key, let number):
                compare(key, .integer(number), found.member("definition")?.member(key))
            case .text(let key, let text): compare(key, .string(text), found.member("definition")?.member(key))
            }
        }
        return faults
    }

    private static func shown(_ value: JSONValue) -> String {
        switch value {
        case .integer(let number): String(number)
        case .string(let text): "\"\(text)\""
        default: "another kind of value"
        }
    }
}
