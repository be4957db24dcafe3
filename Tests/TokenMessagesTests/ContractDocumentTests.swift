// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing
import TokenMessages

@Suite("The documents of the contract")
struct ContractDocumentTests {
    private static func list(_ json: JSONValue?) -> [JSONValue] {
        if case .array(let values) = json { values } else { [] }
    }

    private static func texts(_ json: JSONValue?) -> Set<String> { Set(list(json).compactMap(\.stringValue)) }

    private static func schema(_ name: String) throws -> JSONValue {
        let text = try #require(ContractDocument.schemas.first { $0.name == name }).text
        return try JSONReader.read(text)
    }

    @Test("The schemas know every code, service, privilege and notice, and no other")
    func closedSets() throws {
        let codes = try Self.schema("error").member("properties")?.member("error")?.member("properties")?.member("code")
        #expect(
            Self.texts(codes?.member("enum"))
                == Set(ErrorCode.allCases.filter { !$0.isDeadLetterReason }.map(\.rawValue)))
        let request = try Self.schema("request").member("$defs")?.member("request")?.member("properties")
        #expect(Self.texts(request?.member("service")?.member("enum")) == Set(ServiceName.allCases.map(\.rawValue)))
        for name in ["token", "notice"] {
            let privileges = try Self.schema(name).member("$defs")?.member("privileges")
            #expect(
                Self.texts(privileges?.member("propertyNames")?.member("enum"))
                    == Set(Privilege.allCases.map(\.rawValue)))
        }
        let types = try Self.schema("notice").member("properties")?.member("type")?.member("enum")
        #expect(Self.texts(types) == Set(NoticeKind.allCases.map(\.eventType)))
    }

    @Test("Every code and every kind of notice has an example")
    func everyCode() throws {
        let examples = try JSONReader.read(ContractDocument.examples)
        var codes = Set(
            Self.list(examples.member("messages")).compactMap {
                $0.member("reply")?.member("body")?.member("error")?.member("code")?.stringValue
            })
        for letter in Self.list(examples.member("deadLetters")) {
            codes.insert(letter.member("errorCode")?.stringValue ?? "")
        }
        #expect(codes == Set(ErrorCode.allCases.map(\.rawValue)))
        let kinds = Self.list(examples.member("notices")).compactMap { $0.member("kind")?.stringValue }
        #expect(Set(kinds) == Set(NoticeKind.allCases.map(\.rawValue)))
    }

    @Test("A notice of the examples is what the worker would write")
    func notices() throws {
        for example in Self.list(try JSONReader.read(ContractDocument.examples).member("notices")) {
            let body = try #require(example.member("body"))
            let notice = try Notice(JSONLayout.text(body))
            #expect(try JSONReader.read(notice.encode()) == body)
        }
    }

    @Test("What is laid out for people is read again")
    func layout() throws {
        let document = try ContractDocument.asyncAPI()
        let read = try JSONReader.read(document)
        #expect(JSONLayout.text(read) == document)
        #expect(read.member("asyncapi") == .string("3.0.0"))
        #expect(try JSONReader.read(ContractDocument.allSchemas()).member("request") == Self.schema("request"))
    }
}
