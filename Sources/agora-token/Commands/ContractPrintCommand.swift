// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// `contract print`: the documents of the contract.
enum ContractPrintCommand: Command {
    static let description = CommandDescription(
        name: "contract print", summary: "print the contract: asyncapi, or the JSON Schemas of its messages",
        operands: [
            Operand(name: "DOCUMENT", summary: "asyncapi or schemas"),
            Operand(name: "SCHEMA", summary: "one schema of schemas, such as request", optional: true),
        ],
        options: [],
        notes: ["example: agora-token contract print asyncapi > agora-token.asyncapi.json"])

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        let names = ContractDocument.schemas.map(\.name).joined(separator: ", ")
        switch (arguments.operands.first, arguments.operands.dropFirst().first) {
        case ("asyncapi", nil): write(try ContractDocument.asyncAPI(), context)
        case ("schemas", nil): write(try ContractDocument.allSchemas(), context)
        case ("schemas", let name?):
            guard let schema = ContractDocument.schemas.first(where: { $0.name == name }) else {
                throw CommandFailure(.usage, "there is no schema \"\(name)\"; there are \(names)")
            }
            write(schema.text, context)
        default: throw CommandFailure(.usage, "name asyncapi, or schemas and at most one of \(names)")
        }
        return .success
    }

    private static func write(_ text: [UInt8], _ context: CommandContext) {
        context.console.print(String(decoding: text.dropLast(), as: UTF8.self))
    }
}
