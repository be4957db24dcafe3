// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TokenMessages

/// Debian's python3-jsonschema as a judge of documents by the schemas of the contract.
enum SchemaVerdicts {
    /// Whether a schema takes each document.
    ///
    /// - Parameters:
    ///   - documents: JSON texts without line feeds.
    ///   - schema: the name of the schema.
    /// - Returns: one verdict each.
    /// - Throws: what starting Python throws.
    static func verdicts(on documents: [String], schema: String) throws -> [Bool] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("schema.json")
        let text = ContractDocument.schemas.first { $0.name == schema }?.text ?? []
        try Data(text).write(to: file)
        let input = folder.appendingPathComponent("documents")
        try Data((documents.joined(separator: "\n") + "\n").utf8).write(to: input)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-W", "ignore", "-c", program, file.path]
        process.standardInput = try FileHandle(forReadingFrom: input)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: answer, as: UTF8.self).split(separator: "\n").map { $0 == "1" }
    }

    private static let program = """
        import json, sys
        import jsonschema

        with open(sys.argv[1]) as file:
            validator = jsonschema.Draft202012Validator(json.load(file))
        for line in sys.stdin:
            print(1 if validator.is_valid(json.loads(line)) else 0)
        """
}
