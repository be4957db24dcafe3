// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// One setting and its three names.
package struct Setting: Sendable, Hashable {
    /// The key in the configuration file.
    package let key: String
    /// The flag without its dashes, where there is one.
    package let flag: String?
    /// The environment variable.
    package let variable: String
    /// Whether the value is a secret, which may also be read from a file: `…_FILE` and `…File`.
    ///
    /// It has no flag of its own but `--…-file`, because other users see a process's arguments; but a URL has one, as it
    /// may do without a password.
    package let isSecret: Bool
    /// What the help says.
    package let summary: String

    init(_ key: String, flag: String?, variable: String, isSecret: Bool = false, _ summary: String) {
        self.key = key
        self.flag = flag
        self.variable = variable
        self.isSecret = isSecret
        self.summary = summary
    }

    package static let appID = Setting("appId", flag: "app-id", variable: "AGORA_APP_ID", "the project's App ID")
    package static let certificate = Setting(
        "certificate", flag: "app-certificate-file", variable: "AGORA_APP_CERTIFICATE", isSecret: true,
        "the file with the project's App Certificate")
    package static let secondaryCertificate = Setting(
        "secondaryCertificate", flag: "app-secondary-certificate-file", variable: "AGORA_APP_SECONDARY_CERTIFICATE",
        isSecret: true, "the file with the project's other certificate, whose tokens are accepted as well")
    package static let activeCertificate = Setting(
        "activeCertificate", flag: "app-active-certificate", variable: "AGORA_APP_ACTIVE_CERTIFICATE",
        "which certificate signs: primary (the default) or secondary")
    package static let broker = Setting(
        "amqp", flag: "amqp", variable: "AMQP_URL", isSecret: true,
        "the broker, amqp://USER:PASSWORD@HOST:PORT/VHOST, or several between spaces")
    package static let store = Setting(
        "store", flag: "store", variable: "DATABASE_URL", isSecret: true,
        "where leases are kept: sqlite:PATH, postgres://… or none")
    package static let prefix = Setting(
        "prefix", flag: "prefix", variable: "AGORA_TOKEN_PREFIX", "what queue and exchange names begin with (agora)")
    package static let defaultLifetime = Setting(
        "defaultLifetime", flag: "default-lifetime", variable: "AGORA_TOKEN_DEFAULT_LIFETIME",
        "seconds a token lives where the request does not say (3600)")
    package static let prefetch = Setting(
        "prefetch", flag: "prefetch", variable: "AGORA_TOKEN_PREFETCH", "unanswered messages held per queue (250)")
    package static let deliveryLimit = Setting(
        "deliveryLimit", flag: "delivery-limit", variable: "AGORA_TOKEN_DELIVERY_LIMIT",
        "deliveries without an answer that make a message a dead letter (20)")
    package static let gracePeriod = Setting(
        "gracePeriod", flag: "grace-period", variable: "AGORA_TOKEN_GRACE_PERIOD",
        "seconds to finish in after SIGTERM (30)")
    package static let visibility = Setting(
        "visibility", flag: "visibility", variable: "AGORA_TOKEN_VISIBILITY",
        "seconds that a claimed notice stays with its worker (10)")
    package static let directReplyTo = Setting(
        "directReplyTo", flag: "direct-reply-to", variable: "AGORA_TOKEN_DIRECT_REPLY_TO",
        "direct reply-to: auto (as the broker's version is safe), allow or refuse")
    package static let policyFile = Setting(
        "policyFile", flag: "policy", variable: "AGORA_TOKEN_POLICY",
        "the JSON5 file with the rules of who may ask for what (everyone for everything)")
    package static let audit = Setting(
        "audit", flag: "audit", variable: "AGORA_TOKEN_AUDIT",
        "where a line goes for each token, cancellation and refusal: PATH, stdout or off (off)")
    package static let http = Setting(
        "http", flag: "http", variable: "AGORA_TOKEN_HTTP",
        "where /livez, /readyz and /metrics are served, HOST:PORT (127.0.0.1:9419), or off")
    package static let log = Setting(
        "log", flag: "log", variable: "AGORA_TOKEN_LOG", "json, text or off (text on a terminal, else json)")

    package static let listen = Setting(
        "listen", flag: "listen", variable: "AGORA_TOKEN_LISTEN",
        "where the gateway serves, HOST:PORT (127.0.0.1:8080)")
    package static let gatewaySecret = Setting(
        "gatewaySecret", flag: "secret-file", variable: "AGORA_TOKEN_GATEWAY_SECRET", isSecret: true,
        "the file with the secret that clients show, as Authorization: Bearer SECRET")
    package static let allowOrigin = Setting(
        "allowOrigin", flag: "allow-origin", variable: "AGORA_TOKEN_ALLOW_ORIGIN",
        "the web pages that may ask, such as https://app.example.com, several between spaces, or *")
    package static let gatewayHTTP = Setting(
        "gatewayHttp", flag: "http", variable: "AGORA_TOKEN_GATEWAY_HTTP",
        "where /livez, /readyz and /metrics of the gateway are served, HOST:PORT (127.0.0.1:9420), or off")

    /// The settings of the gateway alone.
    package static let gateway = [listen, gatewaySecret, allowOrigin, gatewayHTTP]

    /// Whether a running worker takes a new value over; the others count from its next start.
    var isReloaded: Bool { Self.ofProject.contains(self) || [.policyFile, .defaultLifetime].contains(self) }

    /// The settings of one project.
    package static let ofProject = [appID, certificate, secondaryCertificate, activeCertificate]

    /// Every setting of a worker that is one value.
    package static let all = [
        appID, certificate, secondaryCertificate, activeCertificate, broker, store, prefix, defaultLifetime, prefetch,
        deliveryLimit, gracePeriod, visibility, directReplyTo, policyFile, audit, http, log,
    ]
}
