// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation

/// Python's `json` as a judge of texts: strict where its own defaults are lax.
enum PythonJSON {
    /// What Python makes of each text: a canonical form, or nil for one that it refuses.
    ///
    /// - Parameter texts: JSON texts or what resembles them.
    /// - Returns: one verdict each.
    /// - Throws: what starting Python throws.
    static func verdicts(on texts: [[UInt8]]) throws -> [String?] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", program]
        let input = FileManager.default.temporaryDirectory.appendingPathComponent("json-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: input) }
        let lines = texts.map { $0.map { String(format: "%02x", $0) }.joined() }.joined(separator: "\n")
        try Data((lines + "\n").utf8).write(to: input)
        process.standardInput = try FileHandle(forReadingFrom: input)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: answer, as: UTF8.self).split(separator: "\n").map { $0 == "!" ? nil : String($0) }
    }

    /// Numbers come as text, so that nothing is rounded; a lone surrogate has no UTF-8 and is refused when printed.
    private static let program = """
        import json, sys
        from decimal import Decimal, MAX_EMAX, MIN_EMIN, MAX_PREC, Context

        context = Context(prec=10000, Emax=MAX_EMAX, Emin=MIN_EMIN)

        def pairs(members):
            names = [name for name, _ in members]
            if len(names) != len(set(names)):
                raise ValueError("duplicate")
            return ("object", members)

        class Number:
            def __init__(self, text):
                self.text = text

        def refuse(word):
            raise ValueError(word)

        def hexadecimal(text):
            return text.encode("utf-8", "strict").hex()

        def canonical(value):
            if value is None:
                return "null"
            if value is True:
                return "true"
            if value is False:
                return "false"
            if isinstance(value, Number):
                number = context.create_decimal(value.text)
                if number == 0:
                    return "i0"
                if number.adjusted() < 20 and number == number.to_integral_value(context=context):
                    if -2**63 <= int(number) < 2**63:
                        return "i%d" % int(number)
                return "n" + value.text
            if isinstance(value, str):
                return "s" + hexadecimal(value)
            if isinstance(value, tuple):
                return "{" + ",".join(hexadecimal(n) + ":" + canonical(v) for n, v in value[1]) + "}"
            return "[" + ",".join(map(canonical, value)) + "]"

        for line in sys.stdin:
            try:
                text = bytes.fromhex(line.strip()).decode("utf-8", "strict")
                value = json.loads(text, object_pairs_hook=pairs, parse_int=Number, parse_float=Number,
                                   parse_constant=refuse)
                print(canonical(value))
            except (ValueError, RecursionError, ArithmeticError):
                print("!")
        """
}
