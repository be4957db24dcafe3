// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

/// Every command, in the order of the help.
enum CommandTable {
    static let commands: [any Command.Type] = [
        WorkerCommand.self,
        GatewayCommand.self,
        HealthCommand.self,
        RequestCommand.self,
        RenewCommand.self,
        CancelCommand.self,
        WatchCommand.self,
        ExplainCommand.self,
        SignCommand.self,
        TopologyApplyCommand.self,
        TopologyCheckCommand.self,
        TopologyDiffCommand.self,
        TopologyExportCommand.self,
        TopologySubscribeCommand.self,
        DeadListCommand.self,
        DeadShowCommand.self,
        DeadRequeueCommand.self,
        DeadDropCommand.self,
        LeaseListCommand.self,
        LeaseShowCommand.self,
        LeaseCancelCommand.self,
        ForecastCommand.self,
        StoreMigrateCommand.self,
        CertificatesCommand.self,
        ConfigCheckCommand.self,
        ConfigShowCommand.self,
        DoctorCommand.self,
        PolicyTestCommand.self,
        ContractPrintCommand.self,
        BenchSignCommand.self,
        BenchWorkerCommand.self,
    ]

    /// The command whose one- or two-word name begins `words`, and how many words that name has.
    static func find(_ words: [String]) -> (command: any Command.Type, length: Int)? {
        for length in [2, 1] where words.count >= length {
            let name = words.prefix(length).joined(separator: " ")
            if let command = commands.first(where: { $0.description.name == name }) { return (command, length) }
        }
        return nil
    }

    /// The second words that `word` may be followed by.
    static func continuations(of word: String) -> [String] {
        commands.map { $0.description.name }.filter { $0.hasPrefix(word + " ") }
    }
}
