// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension Notice {
    /// The body: structured CloudEvents JSON.
    public func encode() -> [UInt8] {
        var json = JSONWriter(capacity: 768)
        json.beginObject()
        json.member("specversion", "1.0")
        json.member("id", id)
        json.member("source", source)
        json.member("type", kind.eventType)
        json.member("subject", leaseID)
        json.member("time", RFC3339.text(milliseconds: timeMilliseconds))
        json.member("expirytime", RFC3339.text(seconds: Int64(expiresAt)))
        if let trace {
            json.member("traceparent", trace.traceparent)
            if let state = trace.tracestate { json.member("tracestate", state) }
        }
        json.member("datacontenttype", "application/json")
        json.name("data")
        writeData(to: &json)
        json.endObject()
        return json.bytes
    }

    private func writeData(to json: inout JSONWriter) {
        json.beginObject()
        json.member("leaseId", leaseID)
        json.member("generation", generation)
        json.member("caller", caller.text)
        json.member("appId", appID)
        scope.write(to: &json)
        json.member("expiresAt", expiresAt)
        json.member("expiresIn", expiresIn)
        json.name("privileges")
        json.write(privileges)
        json.member("plannedAt", plannedAt)
        json.member("lateByMilliseconds", lateByMilliseconds)
        json.name("missed")
        json.beginArray()
        for step in missed {
            json.beginObject()
            json.member("kind", step.kind.rawValue)
            json.member("plannedAt", step.plannedAt)
            json.endObject()
        }
        json.endArray()
        json.member("attempt", attempt)
        if let reason { json.member("reason", reason) }
        json.endObject()
    }

    /// Reads a notice; members that are not known are passed over.
    ///
    /// - Parameter body: the JSON text.
    /// - Throws: ``ReplyError`` if a member is missing or of another type, or the type of the event is not known.
    public init(_ body: [UInt8]) throws(ReplyError) {
        let event = try ReplyFields(body)
        let type = try event.string("type")
        guard let kind = NoticeKind(eventType: type) else {
            throw ReplyError(description: "\(Shown.quoted(type)) is no type of a notice")
        }
        let time = try event.string("time")
        guard let timeMilliseconds = RFC3339.milliseconds(time) else {
            throw ReplyError(description: "time is \(Shown.quoted(time)); it must be a time in UTC as RFC 3339 has it")
        }
        let data = try event.object("data")
        var missed: [Missed] = []
        for step in try data.array("missed") {
            let fields = ReplyFields(step)
            guard let kind = NoticeKind(rawValue: try fields.string("kind")) else { continue }
            missed.append(Missed(kind: kind, plannedAt: try fields.seconds("plannedAt")))
        }
        let trace = try event.optionalString("traceparent")
        let state = try event.optionalString("tracestate")
        self.init(
            kind: kind, leaseID: try data.string("leaseId"), generation: try data.integer("generation"),
            caller: Caller(text: try data.string("caller")), appID: try data.string("appId"), scope: try data.scope(),
            expiresAt: try data.seconds("expiresAt"), privileges: try data.privileges("privileges"),
            plannedAt: try data.seconds("plannedAt"), timeMilliseconds: timeMilliseconds, missed: missed,
            attempt: Int(try data.integer("attempt")), reason: try data.optionalString("reason"),
            trace: trace.flatMap { TraceContext(traceparent: $0, tracestate: state) })
    }
}
