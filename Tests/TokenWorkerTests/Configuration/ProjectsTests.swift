// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Testing

@testable import TokenWorker

@Suite struct ProjectsTests {
    private let id = "970CA35de60c44645bbae8a215061b33"
    private let otherID = "0123456789abcdef0123456789ABCDEF"
    private let secret = "5CFd2fd1755d40ecb72977518be15d3b"

    private func file(_ text: String) throws -> SettingSources {
        SettingSources(file: try ConfigurationFile(text: Array(text.utf8), name: "test.json5"))
    }

    @Test func oneProjectOfTheEnvironmentIsTheDefault() throws {
        let projects = try Projects(
            SettingSources(environment: ["AGORA_APP_ID": id, "AGORA_APP_CERTIFICATE": secret]))
        #expect(projects.project(nil)?.name == id)
        #expect(projects.project(id)?.name == id)
        #expect(projects.project(id.lowercased()) == nil)
    }

    @Test func theFilesDefaultIsForRequestsThatNameNone() throws {
        let two =
            "{projects: [{appId: '\(id)', certificate: '\(secret)'}, {appId: '\(otherID)', certificate: '\(secret)'DEFAULT}]}"
        let none = try Projects(file(two.replacing("DEFAULT", with: "")))
        #expect(none.project(nil) == nil)
        #expect(none.project(otherID)?.name == otherID)
        #expect(try Projects(file(two.replacing("DEFAULT", with: ", default: true"))).project(nil)?.name == otherID)
    }

    @Test(arguments: [
        ([:], "AGORA_APP_ID: is missing"),
        (["AGORA_APP_ID": "970CA35de60c44645bbae8a215061b33"], "AGORA_APP_CERTIFICATE: is missing"),
        (["AGORA_APP_ID": "970CA35de60c44645bbae8a215061b3", "AGORA_APP_CERTIFICATE": "x"], "AGORA_APP_ID: "),
        (
            [
                "AGORA_APP_ID": "970CA35de60c44645bbae8a215061b33",
                "AGORA_APP_CERTIFICATE": "hunter2hunter2hunter2hunter2hunt",
            ],
            "AGORA_APP_CERTIFICATE: "
        ),
    ]) func oneLineNamesTheSetting(environment: [String: String], beginning: String) {
        #expect {
            try Projects(SettingSources(environment: environment))
        } throws: { error in
            let line = "\(error)"
            return line.hasPrefix(beginning) && !line.contains("\n") && !line.contains("hunter2")
        }
    }

    @Test(arguments: [
        ("[{appId: 'ID', certificate: 'SECRET'}, {appId: 'ID', certificate: 'SECRET'}]", "projects[1].appId"),
        ("[{appId: 'ID'}]", "projects[0].certificate"),
        ("[{certificate: 'SECRET'}]", "projects[0].appId"),
        ("[{appId: 'ID', certificate: 'SECRET', certificateFile: '/x'}]", "projects[0].certificateFile"),
        ("[{appId: 'ID', certificateFile: '/nowhere/x'}]", "projects[0].certificateFile"),
    ]) func theFilesProjectsAreNamedByPlace(projects: String, setting: String) throws {
        let text = projects.replacing("ID", with: id).replacing("SECRET", with: secret)
        let sources = try file("{projects: \(text)}")
        #expect {
            try Projects(sources)
        } throws: { error in
            (error as? ConfigurationError)?.setting == setting
        }
    }
}
