// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// The members of a reply or notice, as a client reads them: those that are not known do not matter.
struct ReplyFields {
    let json: JSONValue

    init(_ body: [UInt8]) throws(ReplyError) {
        do {
            json = try JSONReader.read(body)
        } catch {
            throw ReplyError(description: "the body is not JSON: \(error)")
        }
        guard case .object = json else { throw ReplyError(description: "the body is not a JSON object") }
    }

    init(_ json: JSONValue) { self.json = json }

    private func wrong(_ name: String) -> ReplyError {
        ReplyError(description: "\(name) is missing or of another type than the contract says")
    }

    private func some<Value>(_ name: String, _ value: Value?) throws(ReplyError) -> Value {
        guard let value else { throw wrong(name) }
        return value
    }

    func object(_ name: String) throws(ReplyError) -> ReplyFields {
        guard let value = json.member(name), case .object = value else { throw wrong(name) }
        return ReplyFields(value)
    }

    func string(_ name: String) throws(ReplyError) -> String {
        try some(name, json.member(name)?.stringValue)
    }

    func optionalString(_ name: String) throws(ReplyError) -> String? {
        json.member(name) == nil ? nil : try string(name)
    }

    func integer(_ name: String) throws(ReplyError) -> Int64 {
        try some(name, json.member(name)?.integerValue)
    }

    func optionalInteger(_ name: String) throws(ReplyError) -> Int64? {
        json.member(name) == nil ? nil : try integer(name)
    }

    func seconds(_ name: String) throws(ReplyError) -> UInt32 {
        try some(name, UInt32(exactly: try integer(name)))
    }

    func optionalSeconds(_ name: String) throws(ReplyError) -> UInt32? {
        json.member(name) == nil ? nil : try seconds(name)
    }

    func bool(_ name: String) throws(ReplyError) -> Bool {
        guard case .bool(let value) = json.member(name) else { throw wrong(name) }
        return value
    }

    func array(_ name: String) throws(ReplyError) -> [JSONValue] {
        guard case .array(let values) = json.member(name) else { throw wrong(name) }
        return values
    }

    func strings(_ name: String) throws(ReplyError) -> [String] {
        var strings: [String] = []
        for value in try array(name) { strings.append(try some(name, value.stringValue)) }
        return strings
    }

    func secondsList(_ name: String) throws(ReplyError) -> [UInt32] {
        var list: [UInt32] = []
        for value in try array(name) { list.append(try some(name, value.integerValue.flatMap(UInt32.init(exactly:)))) }
        return list
    }

    func privileges(_ name: String) throws(ReplyError) -> [PrivilegeTime] {
        try some(name, [PrivilegeTime](json.member(name)))
    }

    func scope() throws(ReplyError) -> TokenScope { try some("service", TokenScope(json)) }
}
