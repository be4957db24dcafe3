// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Foundation
import TestSupport
import Testing

/// The commands that need no broker, as a script calls them.
@Suite(.timeLimit(.minutes(2)))
struct OfflineCommandTests {
    private struct Vectors: Decodable {
        struct Entry: Decodable {
            let id: String
            let token: String
        }

        let accessToken2: [Entry]
        let accessToken: [Entry]
    }

    private struct Answer: Decodable {
        struct Failure: Decodable {
            let code: String
        }

        let id: String?
        let token: String?
        let error: Failure?
    }

    private static let vectors = URL(filePath: #filePath).appending(
        path: "../../AgoraTokenTests/Vectors/random.json"
    ).standardizedFileURL

    @Test func signBatchAnswersEveryLine() async throws {
        let script = """
            import json, sys
            for kind, version in (("accessToken2", "007"), ("accessToken", "006")):
                for entry in json.load(open(sys.argv[1]))[kind]:
                    entry.pop("token")
                    print(json.dumps({**entry, "version": version}))
                print("not json")
            print("\\x01")
            print(" " * (1 << 20) + "x")
            print(" ")
            """
        let child = try ChildProcess(
            "/bin/sh",
            [
                "-c", #"/usr/bin/python3 -c "$1" "$2" | "$3" sign --batch"#, "sh", script, Self.vectors.path(),
                TestEnvironment.binary,
            ])
        // A line that cannot be read is answered, and so is what comes after it; the status tells.
        #expect(try await child.wait(within: .seconds(60)) == .code(1))
        let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: Self.vectors))
        var expected: [String: String] = [:]
        for entry in vectors.accessToken2 + vectors.accessToken { expected[entry.id] = entry.token }
        var failures: [String] = []
        for line in child.output.split(separator: "\n") {
            let answer = try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
            guard let id = answer.id else {
                failures.append(answer.error?.code ?? "")
                continue
            }
            #expect(answer.token == expected.removeValue(forKey: id), "\(id)")
        }
        #expect(expected.isEmpty)
        #expect(failures == [String](repeating: "malformed_json", count: 4))
    }

    @Test func benchPrintsBothModes() async throws {
        struct Speed: Decodable {
            let tokensPerSecond: Double
            let microsecondsPerToken: Double
        }
        struct Result: Decodable {
            let identical: Speed
            let stored: Speed
        }
        let output = try await ChildProcess.run(
            TestEnvironment.binary, ["bench", "sign", "--json", "--seconds", "1"])
        let result = try JSONDecoder().decode(Result.self, from: Data(output.utf8))
        for speed in [result.identical, result.stored] {
            #expect(speed.microsecondsPerToken > 0)
            #expect(abs(speed.tokensPerSecond * speed.microsecondsPerToken / 1_000_000 - 1) < 0.01)
        }
    }
}
