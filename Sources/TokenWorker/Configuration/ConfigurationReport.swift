// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import AMQP

/// The configuration as it counts: every value with where it comes from, and no secret.
package struct ConfigurationReport: Sendable, Hashable {
    /// The single values.
    package let lines: [Line]
    /// The projects; empty where they cannot be read.
    package let projects: [ProjectLine]
    /// The first thing that is wrong, if anything is.
    package let fault: String?

    /// One value.
    package struct Line: Sendable, Hashable {
        /// The key in the configuration file.
        package let key: String
        /// The value, of a secret no more than what it leads to; `nil` where there is none, or it is wrong.
        package let value: String?
        /// The flag, the variable or the key that it comes from, or `default`.
        package let source: String
        /// What is wrong with it.
        package let fault: String?
    }

    /// One project.
    package struct ProjectLine: Sendable, Hashable {
        package let appID: String
        package let isDefault: Bool
        /// The certificates by their fingerprints.
        package let certificates: [ProjectCertificate]
        package let active: ProjectCertificate.Slot
        /// The setting that names the project.
        package let source: String
    }

    /// Reads everything that can be read.
    package init(_ sources: SettingSources) {
        var fault: String?
        do throws(ConfigurationError) { _ = try WorkerConfiguration(sources) } catch { fault = error.description }
        let settings = (Setting.all + Setting.gateway).filter { !Setting.ofProject.contains($0) }
        // One of a worker's flags has the name of one of the gateway's.
        var gatewaySources = sources
        gatewaySources.flags = [:]
        lines = settings.map { Self.line($0, Setting.gateway.contains($0) ? gatewaySources : sources) }
        projects = (try? Self.projects(sources)) ?? []
        self.fault = fault
    }

    private static func line(_ setting: Setting, _ sources: SettingSources) -> Line {
        do throws(ConfigurationError) {
            guard let value = try sources.value(of: setting) else {
                return Line(
                    key: setting.key, value: try setting.standard(sources.environment), source: "default", fault: nil)
            }
            return Line(
                key: setting.key, value: try setting.shown(value), source: sources.source(of: setting, value),
                fault: nil)
        } catch {
            return Line(key: setting.key, value: nil, source: error.setting, fault: error.problem)
        }
    }

    private static func projects(_ sources: SettingSources) throws(ConfigurationError) -> [ProjectLine] {
        let projects = try Projects(sources)
        return projects.all.enumerated().map { index, project in
            let source: String
            if sources.file.projects.isEmpty {
                source = (try? sources.value(of: .appID))?.origin ?? Setting.appID.variable
            } else {
                source = "projects[\(index)]"
            }
            return ProjectLine(
                appID: project.name, isDefault: project.name == projects.standard?.name,
                certificates: project.certificates.sorted { $0.slot.rawValue < $1.slot.rawValue },
                active: project.active.slot, source: source)
        }
    }
}

extension SettingSources {
    /// The name by which a value was set, with the file that it was read from, where there is one.
    fileprivate func source(of setting: Setting, _ value: Value) -> String {
        guard let path = file(of: setting) else { return value.origin }
        return "\(value.origin) \(path)"
    }
}

extension Setting {
    /// The value that counts where none is set; `nil` where there is none.
    func standard(_ environment: [String: String]) throws(ConfigurationError) -> String? {
        switch self {
        case .store: try StoreLocation.standard(environment).description
        case .prefix: "agora"
        case .defaultLifetime: "3600"
        case .prefetch: "250"
        case .deliveryLimit: String(MessagePlanner.standardDeliveryLimit)
        case .gracePeriod: "30"
        case .visibility: "10"
        case .directReplyTo: WorkerConfiguration.DirectReplyTo.auto.rawValue
        case .http: HTTPAddress.standard.description
        case .log: "text on a terminal, else json"
        case .audit: "off"
        case .listen: "127.0.0.1:8080"
        case .gatewayHTTP: HTTPAddress.gatewayStandard.description
        default: nil
        }
    }

    /// A value without what is secret in it.
    fileprivate func shown(_ value: SettingSources.Value) throws(ConfigurationError) -> String {
        switch self {
        case .broker:
            try WorkerConfiguration.brokers(value).map(\.description).joined(separator: " ")
        case .store: try StoreLocation(value).description
        default: isSecret ? "(not shown)" : value.text
        }
    }
}
