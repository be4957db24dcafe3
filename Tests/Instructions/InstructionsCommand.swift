// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Runs one scenario so and so often, for a tool that counts instructions.
@main
struct InstructionsCommand {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard let scenario = words.first.flatMap(Scenario.init(rawValue:)), let count = words.last.flatMap({ Int($0) })
        else {
            print(Scenario.allCases.map(\.rawValue).joined(separator: "\n"))
            return
        }
        print(try scenario.run(count))
    }
}
