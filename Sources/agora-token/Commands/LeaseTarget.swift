// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import LeaseStore
import TokenMessages
import TokenWorker

/// The store that the commands for leases look into.
struct LeaseTarget {
    static let options = [Option.configurationFile] + SettingOptions.options(for: [.store])
    static let caller = Option("caller", value: "C", "whose: u-USER, a-APP or anonymous")
    static let operand = Operand(name: "ID", summary: "the id of a lease, as replies and notices have it")
    static let note = "An id that does not begin with l- is its caller's own name for the lease: say whose by --caller."

    private let location: StoreLocation
    /// The setting that says so, for complaints; `nil` for the standard place.
    private let origin: String?

    init(_ arguments: Arguments, in context: CommandContext) throws(ConfigurationError) {
        let sources = try SettingOptions.sources(arguments, in: context)
        location = try WorkerConfiguration.store(sources)
        origin = try sources.value(of: .store)?.origin
    }

    /// The lease that the command line names.
    ///
    /// - Throws: ``CommandFailure`` when it does not say whose name it is.
    func lease(_ arguments: Arguments) throws(CommandFailure) -> (id: String, caller: Caller) {
        let id = arguments.operands[0]
        guard let caller = arguments[Self.caller.name] ?? (id.hasPrefix("l-") ? "anonymous" : nil) else {
            throw CommandFailure(.usage, "\"\(id)\" is a caller's own name: --caller says whose")
        }
        return (id, Caller(text: caller))
    }

    /// Opens the store and does something with it.
    func with(_ body: (LeaseRegister) throws(StoreError) -> ExitStatus) throws -> ExitStatus {
        do {
            return try body(try LeaseRegister(location, origin: origin))
        } catch let error as StoreError {
            throw CommandFailure(.unavailable, "\(location): \(error)")
        }
    }

    /// Says that a lease is not there.
    func none(_ id: String, _ context: CommandContext) -> ExitStatus {
        context.console.note("there is no lease \(Redacted.printable(Redacted.tokens(id)))")
        return .failure
    }
}
