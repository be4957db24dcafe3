// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import TokenMessages

/// Bodies of messages from the options of a command; a worker checks their values.
enum RequestBody {
    /// A request.
    static func request(_ arguments: Arguments) throws(CommandFailure) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for (option, field) in [
            ("service", "service"), ("project", "appId"), ("channel", "channelName"), ("account", "account"),
            ("user-id", "userId"), ("room", "roomUuid"), ("user-uuid", "userUuid"), ("token-version", "version"),
            ("lease-id", "leaseId"),
        ] {
            if let text = arguments[option] { json.member(field, text) }
        }
        if let role = arguments["role"] {
            if let number = Int64(role) { json.member("role", number) } else { json.member("role", role) }
        }
        if let uid: UInt32 = try arguments.integer("uid", in: 0...UInt32.max) { json.member("uid", uid) }
        if let role: Int64 = try arguments.integer("apaas-role", in: Int64.min...Int64.max) {
            json.member("apaasRole", role)
        }
        if arguments.has("dry-run") { json.member("dryRun", true) }
        try writeTimes(arguments, to: &json)
        json.endObject()
        return json.bytes
    }

    /// A renewal.
    static func renewal(_ arguments: Arguments) throws(CommandFailure) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        try writeLease(arguments, to: &json)
        if let generation: Int64 = try arguments.integer("generation", in: 1...Int64.max) {
            json.member("generation", generation)
        }
        try writeTimes(arguments, to: &json)
        json.endObject()
        return json.bytes
    }

    /// A cancellation.
    static func cancellation(_ arguments: Arguments) throws(CommandFailure) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        try writeLease(arguments, to: &json)
        json.endObject()
        return json.bytes
    }

    /// The token or lease id that a command was given.
    private static func writeLease(_ arguments: Arguments, to json: inout JSONWriter) throws(CommandFailure) {
        switch (arguments["token"], arguments["lease-id"]) {
        case (let token?, nil): json.member("token", token)
        case (nil, let id?): json.member("leaseId", id)
        default: throw CommandFailure(.usage, "give one of --token TOKEN and --lease-id ID")
        }
    }

    private static func writeTimes(_ arguments: Arguments, to json: inout JSONWriter) throws(CommandFailure) {
        if let expire: UInt32 = try arguments.integer("expire", in: 1...Grant.longestLifetime, of: "seconds") {
            json.member("expire", expire)
        }
        let leads = arguments.all("before")
        if arguments.has("no-lease") {
            guard leads.isEmpty else { throw CommandFailure(.usage, "--before and --no-lease exclude each other") }
            json.member("notify", false)
        } else if !leads.isEmpty {
            json.name("notify")
            json.beginObject()
            json.name("before")
            json.beginArray()
            for lead in leads {
                guard let seconds = Int64(lead) else {
                    throw CommandFailure(.usage, "--before: \"\(lead)\" is not a whole number of seconds")
                }
                json.integer(seconds)
            }
            json.endArray()
            json.endObject()
        }
    }
}
