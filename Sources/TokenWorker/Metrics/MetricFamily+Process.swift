// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

extension MetricFamily {
    /// What every process of this program tells: which program it is.
    package static var build: MetricFamily {
        var build = MetricFamily("agora_token_build_info", .gauge, "Which program this is; always 1.")
        build.add([MetricLabel("version", Version.current)], 1)
        return build
    }

    /// What this process uses of the machine; empty where the system does not say.
    package static var process: [MetricFamily] { ProcessUsage.current()?.families ?? [] }
}
