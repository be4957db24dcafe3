// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

internal import Platform
internal import Synchronization

/// Where the audit's lines are written, before anything that they tell of leaves the worker.
///
/// The issuer and the scheduler write the lines of a batch, and publish its replies only after that. So no token is out
/// in the world without its line, wherever the process is killed; a line whose token never left is possible, and the
/// same message again, which gets the same token, writes the same hash. When the lines cannot be written, as on a full
/// disk, nothing is published: the batch is kept and tried again, as when the store is away.
final class AuditTrail: Sendable {
    /// Why lines could not be written.
    struct Failure: Error, Hashable {
        let reason: String
    }

    private struct State {
        var file: AppendedFile
        /// The rest of a line that the file took only a part of, to be written before anything else.
        var rest: [UInt8]
        var fault: String?
    }

    private let target: AuditTarget
    private let state: Mutex<State>
    /// The fault of the state, for those who must not wait while something is written.
    private let known = Mutex<String?>(nil)
    private let log: Log

    /// Opens the target.
    ///
    /// - Throws: `AppendedFile.Failure` when it cannot be.
    init(_ target: AuditTarget, log: Log) throws(AppendedFile.Failure) {
        self.target = target
        self.log = log
        let file = try target.openFile()
        state = Mutex(State(file: file, rest: Self.opening(of: file), fault: nil))
    }

    /// Why nothing can be written at present; nil while it can.
    var fault: String? { known.withLock { $0 } }

    /// Writes whole lines.
    ///
    /// - Throws: ``Failure`` when the system did not take all of them. Those that it did not begin are the caller's to
    ///   write again.
    func write(_ lines: [UInt8]) throws(Failure) {
        guard !lines.isEmpty else { return }
        try change { state in Self.append(lines, &state) }
    }

    /// Finds out whether lines can be written again, after they could not.
    ///
    /// It takes a line to know, and one that says where something may be missing is not useless.
    ///
    /// - Throws: ``Failure`` as long as they cannot.
    func recover() throws(Failure) {
        try change { state in
            if state.fault != nil { Self.append(AuditLines.resumed(at: WallClock.milliseconds()), &state) }
        }
    }

    private func change(_ change: (inout State) -> Void) throws(Failure) {
        let change: (now: String?, isNews: Bool) = state.withLock { state in
            let before = state.fault
            change(&state)
            known.withLock { $0 = state.fault }
            return (state.fault, (before == nil) != (state.fault == nil))
        }
        if change.isNews { tell(change.now) }
        if let reason = change.now { throw Failure(reason: reason) }
    }

    /// Opens the file anew, for whoever has renamed it; when that fails the old one stays.
    func reopen() {
        guard case .file = target else { return }
        do throws(AppendedFile.Failure) {
            let file = try target.openFile()
            state.withLock { state in
                state.file = file
                state.rest = Self.opening(of: file)
            }
            log.line(.info, "audit_reopened") { $0.add("path", "\(target)") }
        } catch {
            let reason = error.reason
            log.line(.error, "audit_not_reopened") { fields in
                fields.add("path", "\(target)")
                fields.add("reason", "\(reason); the file that was open is written on")
            }
        }
    }

    private static func append(_ lines: [UInt8], _ state: inout State) {
        let bytes = state.rest + lines
        do throws(AppendedFile.Failure) {
            try state.file.append(bytes)
            state.rest = []
            state.fault = nil
        } catch {
            let left = bytes[error.written...]
            let isWithinLine = error.written > 0 ? bytes[error.written - 1] != newline : !state.rest.isEmpty
            state.rest = isWithinLine ? Array(left.prefix { $0 != newline }) + [newline] : []
            state.fault = error.reason
        }
    }

    /// What a file needs before its first line.
    private static func opening(of file: AppendedFile) -> [UInt8] { file.endsInsideLine ? [newline] : [] }

    private static var newline: UInt8 { UInt8(ascii: "\n") }

    private func tell(_ fault: String?) {
        guard let fault else { return log.line(.info, "audit_back") }
        log.line(.error, "audit_away") { fields in
            fields.add("path", "\(target)")
            fields.add("reason", "\(fault); nothing is issued until it can be written")
        }
    }
}
