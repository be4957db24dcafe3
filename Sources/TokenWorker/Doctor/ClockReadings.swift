// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AgoraToken

/// What several clocks said, as close together as can be.
struct ClockReadings: Sendable {
    /// The machine's, in milliseconds since 1970.
    var machine: Int64
    /// The database's less the machine's, in milliseconds; `nil` where it has none of its own.
    var storeAhead: Int64?
    /// The broker's less the machine's, in milliseconds, to the second.
    var brokerAhead: Int64?

    /// The beginning of the year in which Agora's present tokens came.
    private static let earliest: Int64 = 1_640_995_200_000
    /// Differences up to here are no matter, in milliseconds.
    private static let tolerance: Int64 = 2000

    init(machine: Int64) { self.machine = machine }

    /// What is to be said of them.
    var diagnoses: [Diagnosis] {
        guard machine >= Self.earliest else {
            return [
                Diagnosis(
                    .fail, .clock, "this machine's clock says a time before 2022",
                    advice: "set it, and keep it by NTP: Agora refuses tokens of the past")
            ]
        }
        var found: [Diagnosis] = []
        for (name, ahead) in [("the database", storeAhead), ("the broker", brokerAhead)] {
            guard let ahead else { continue }
            if abs(ahead) <= Self.tolerance {
                found.append(Diagnosis(.ok, .clock, "\(name) and this machine agree to \(abs(ahead)) ms"))
            } else {
                let relation = ahead > 0 ? "ahead of" : "behind"
                found.append(
                    Diagnosis(
                        .warn, .clock, "\(name)'s clock is \(abs(ahead)) ms \(relation) this machine's",
                        advice: "keep both by NTP: times of leases are the database's, deadlines are the callers'"))
            }
        }
        if found.isEmpty { found.append(Diagnosis(.ok, .clock, "set; there is no other to compare it with")) }
        return found
    }

    /// Whether tokens that are signed now, by the clock that leases go by, hold by this machine's.
    static func tokenDiagnoses(_ projects: Projects, _ readings: ClockReadings) -> [Diagnosis] {
        // A token of the coming second is no matter: it takes longer to get to its user.
        let machine = UInt32(clamping: (readings.machine + Self.tolerance) / 1000)
        let issuedAt = UInt32(clamping: (readings.machine + (readings.storeAhead ?? 0)) / 1000)
        return projects.all.map { project in
            let token = AccessToken.rtc(
                appID: project.appID, channel: "doctor", user: 1, lifetime: 60, issuedAt: issuedAt, salt: 1)
            guard let text = try? token.signed(with: project.certificate) else {
                return Diagnosis(.fail, .clock, "no token of \(project.name) can be signed")
            }
            let report = TokenReport(
                text, projects: projects.certificates, channel: "doctor", user: 1, at: machine)
            guard let refusal = report.refusals.first else {
                return Diagnosis(.ok, .clock, "a token of \(project.name) that is signed now is valid now")
            }
            return Diagnosis(
                .fail, .clock, "a token of \(project.name) that is signed now is not valid: \(refusal.message)",
                advice: "set the clocks: the token's times are the database's")
        }
    }
}
