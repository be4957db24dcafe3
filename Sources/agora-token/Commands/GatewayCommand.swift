// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import Glibc
import TokenClient
import TokenMessages
import TokenWorker

/// `gateway`: serves tokens over HTTP to apps, and asks workers for them over AMQP.
enum GatewayCommand: Command {
    private static let withLeases = Option(
        "with-leases", "ask for tokens with leases, whose notices go to the gateway's caller")

    static let description = CommandDescription(
        name: "gateway", summary: "serve tokens over HTTP, for apps whose backend is not there yet",
        options: ClientOptions.all.filter { $0.name != "timeout" } + SettingOptions.options(for: Setting.gateway)
            + [withLeases] + SettingOptions.options(for: [.gracePeriod, .log]),
        notes: [
            "POST \(GatewayService.path) with {\"uid\":1234,\"channelName\":\"test\",\"role\":1} answers {\"token\":\"007…\"}"
                + " within 8 s. /livez and /readyz are for monitoring.",
            "Without a secret (AGORA_TOKEN_GATEWAY_SECRET, or …_FILE) it listens at loopback addresses only. It speaks"
                + " no TLS: put a proxy before it that does.",
            "SIGTERM and SIGINT: take no more connections, answer what is there, exit 0. A second one ends at once.",
        ])

    /// How long a worker may take: Agora's sample clients wait 10 s, and an answer should come before that.
    private static let patience = Duration.seconds(7)

    private static let limits = HTTPLimits(connections: 256, bodySize: 16_384, requestTime: .seconds(10))

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        // Before any thread starts, so that every thread leaves the signals to this one.
        let signals = TerminationSignals()
        let configuration = try GatewayConfiguration(
            SettingOptions.sources(arguments, in: context), keepsLeases: arguments.has(withLeases.name))
        var broker = try ClientOptions.configuration(arguments, in: context, part: "gateway")
        broker.timeout = patience
        let client = TokenClient(broker)
        let log = Log(format: configuration.log)
        let service = GatewayService(
            client: client, secret: configuration.secret, origins: configuration.origins,
            keepsLeases: configuration.keepsLeases, log: log)
        let server = try HTTPServer(configuration.socket(), host: configuration.host, limits: limits, service: service)
        log.line(.info, "serves_http") { fields in
            fields.add("address", server.address.description)
            fields.add("caller", broker.caller.text)
            fields.add("secret", configuration.secret == nil ? "none, for this machine only" : "required")
        }
        client.start()
        while let signal = nextSignal(signals) { if signal != SIGHUP { break } }
        log.line(.info, "stopping")
        let isFinished = server.stop(
            within: .seconds(configuration.gracePeriod), unless: { signals.wait(atMost: .zero) != nil })
        client.close()
        log.line(.info, "stopped") { $0.add("finished", isFinished ? "yes" : "no") }
        return .success
    }

    /// Waits for a signal, for as long as it takes.
    private static func nextSignal(_ signals: TerminationSignals) -> Int32? {
        while true { if let number = signals.wait(atMost: .seconds(3600)) { return number } }
    }
}
