// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import agora_token

@Suite struct ArgumentParserTests {
    private let parser = ArgumentParser(
        description: CommandDescription(
            name: "test", summary: "a test",
            operands: [Operand(name: "FIRST", summary: ""), Operand(name: "SECOND", summary: "", optional: true)],
            options: [
                Option("switch", ""), Option("value", value: "X", ""), Option("list", value: "X", repeats: true, ""),
                .json,
            ]))

    @Test(arguments: [
        ["a", "--value", "v", "--switch"], ["--switch", "--value=v", "a"],
        ["--switch", "--value", "v", "a", "--switch"],
        ["--switch", "--value=v", "--", "a"],
    ]) func orderAndFormDoNotMatter(words: [String]) throws {
        let arguments = try parser.parse(words)
        #expect(arguments.operands == ["a"])
        #expect(arguments["value"] == "v")
        #expect(arguments.has("switch"))
        #expect(!arguments.has("json"))
    }

    @Test func whatLooksLikeAnOptionCanBeAValueOrAnOperand() throws {
        #expect(try parser.parse(["--value", "--switch", "a"])["value"] == "--switch")
        #expect(try parser.parse(["--value=a=b", "a"])["value"] == "a=b")
        #expect(try parser.parse(["--", "--switch"]).operands == ["--switch"])
        #expect(try parser.parse(["-"]).operands == ["-"])
    }

    @Test(arguments: [
        ([], "missing FIRST"), (["a", "b", "c"], "unexpected word \"c\""),
        (["a", "--other"], "unknown option --other"),
        (["a", "--val=x"], "unknown option --val"), (["a", "-s"], "unknown option -s"),
        (["a", "--value"], "--value needs a value: --value X"), (["a", "--switch=yes"], "--switch takes no value"),
        (["a", "--value", "v", "--value=w"], "--value is given twice"),
    ]) func aWrongWordIsNamed(words: [String], message: String) {
        #expect {
            try parser.parse(words)
        } throws: { error in
            guard let failure = error as? CommandFailure else { return false }
            return failure.status == .usage && failure.message == message
        }
    }

    @Test func aListIsGivenValueByValue() throws {
        #expect(try parser.parse(["--list", "v", "a", "--list=w"]).all("list") == ["v", "w"])
    }

    @Test func numbersAreWholeAndInRange() throws {
        let arguments = try parser.parse(["a", "--value", "70000"])
        #expect(try arguments.integer("value", in: 0...70_000) == 70_000)
        #expect(throws: CommandFailure.self) { try arguments.integer("value", in: UInt16.min...UInt16.max) }
        #expect(try arguments.integer("json", in: 0...1) == Int?.none)
    }
}
