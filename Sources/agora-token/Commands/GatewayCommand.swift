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
            "POST \(GatewayPath.token.name) with {\"uid\":1234,\"channelName\":\"test\",\"role\":1} answers {\"token\":\"007…\"}"
                + " within 8 s. /livez and /readyz are there too; /metrics is at the address for monitoring alone.",
            "Without a secret (AGORA_TOKEN_GATEWAY_SECRET, or …_FILE) it listens at loopback addresses only. It speaks"
                + " no TLS: put a proxy before it that does.",
            "SIGTERM and SIGINT: take no more connections, answer what is there, exit 0. A second one ends at once.",
        ])

    /// How long a worker may take: Agora's sample clients wait 10 s, and an answer should come before that.
    private static let patience = Duration.seconds(7)

    private static let limits = HTTPLimits(
        connections: 256, bodySize: 16_384, requestTime: .seconds(10), knockAfter: .seconds(3))

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitStatus {
        // Before any thread starts, so that every thread leaves the signals to this one.
        let signals = TerminationSignals()
        var manager = ServiceReporter(context.environment)
        let configuration = try GatewayConfiguration(
            SettingOptions.sources(arguments, in: context), keepsLeases: arguments.has(withLeases.name))
        var broker = try ClientOptions.configuration(arguments, in: context, part: "gateway")
        broker.timeout = patience
        let client = TokenClient(broker)
        let log = Log(format: configuration.log)
        let monitor = GatewayMonitor(client)
        let service = GatewayService(
            client: client, secret: configuration.secret, origins: configuration.origins,
            keepsLeases: configuration.keepsLeases, log: log, monitor: monitor)
        let server = try HTTPServer(configuration.socket(), host: configuration.host, limits: limits, service: service)
        log.line(.info, "serves_http") { fields in
            fields.add("address", server.address.description)
            fields.add("caller", broker.caller.text)
            fields.add("secret", configuration.secret == nil ? "none, for this machine only" : "required")
        }
        let pages = try HTTPServer.pages(
            at: configuration.pages, origin: configuration.pagesOrigin, of: .gatewayHTTP, event: "serves_metrics", log
        ) { monitor.page($0, of: server) }
        defer { withExtendedLifetime(pages) {} }
        client.start()
        while true {
            manager.report(monitor.health(of: server))
            // There is nothing to read again.
            if let signal = signals.wait(atMost: min(.seconds(1), manager.longestPause)), signal != SIGHUP { break }
        }
        log.line(.info, "stopping")
        monitor.stops()
        manager.stopping()
        let isFinished = server.stop(
            within: .seconds(configuration.gracePeriod),
            unless: {
                manager.report(monitor.health(of: server))
                return signals.isUrgent
            })
        client.close()
        log.line(.info, "stopped") { $0.add("finished", isFinished ? "yes" : "no") }
        return .success
    }
}
