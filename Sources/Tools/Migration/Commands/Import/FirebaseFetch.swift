import Foundation
import HearthAdmin
import HearthArguments
import HearthConcurrency
import HearthFiles
import HearthFirebaseImport
import HearthLocalCommands
import HearthManagementCommands
import HearthWire

/// Takes what the command's source has into the folder of `--keep`.
struct FirebaseFetch {
    let command: ImportFirebaseCommand
    let interruption: PushInterruption

    /// - Throws: what ends the import. What was fetched stays in the folder.
    func run(_ report: inout ImportReport) throws {
        guard command.folder == nil else { return }
        do {
            try fetch(&report)
        } catch let error as FirebaseError where error.canContinue {
            throw CommandFailure(
                "\(error.sentence) What came so far is in \(command.keptFolder); the same command continues from there.",
                code: error.code.rawValue, cause: error)
        }
    }

    private func fetch(_ report: inout ImportReport) throws {
        let bars = DownloadBars()
        defer { bars.finish() }
        let connection = try connection(bars)
        let folder = ImportFolder(command.keptFolder)
        let models = ModelFetch(connection: connection, folder: folder, progress: bars.update)
        let installation = try command.installation()
        if let file = command.serviceAccount {
            let account = try GoogleAccount(keyFile: file)
            if let installation, installation.project != account.project {
                throw CommandFailure(
                    """
                    The key is of the project \(account.project), and the plist of \(installation.project). Take both from one \
                    project.
                    """)
            }
            // Before the folder is made for a project: it may be the wrong key.
            try account.signIn(connection)
            let lock = try folder.lock(for: account.project)
            defer { withExtendedLifetime(lock) {} }
            report.problems += try models.fetchAll(account, installation: installation)
            bars.finish()
            let bar = ProgressBar(label: "Fetching Remote Config", unit: .pieces)
            defer { bar.finish() }
            let templates = TemplateFetch(account: account, connection: connection, folder: folder) { _, done, count in
                bar.update(completed: UInt64(done), total: UInt64(count))
            }
            report.problems += try templates.fetchAll()
        } else if let installation {
            let lock = try folder.lock(for: installation.project)
            defer { withExtendedLifetime(lock) {} }
            report.problems += try models.fetch(command.model, installation)
        } else if let file = command.command {
            let pasted = try BulkDownloadCommand(Self.text(file))
            let lock = try folder.lock(for: nil)
            defer { withExtendedLifetime(lock) {} }
            report.problems += pasted.problems.map { FetchProblem(pasted: $0) }
            report.problems += try models.fetch(pasted)
        }
    }

    /// A link has about a thousand characters, and a project a few hundred models.
    private static let longestCommandBytes = 8 << 20

    private static func text(_ file: String) throws -> String {
        let bytes = try DiskFiles().read(file == "-" ? "/dev/stdin" : file, limitBytes: longestCommandBytes)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure("Cannot read \(file): it is not text.")
        }
        return text
    }

    private func connection(_ bars: DownloadBars) throws -> FirebaseConnection {
        var options = FirebaseConnection.Options()
        options.endpoint = command.endpoint
        options.trace = try command.trace.map { try FirebaseTrace(path: $0) }
        options.cancellation = interruption.cancellation
        options.sleep = { [interruption] in interruption.pause($0) }
        options.onNotice = { notice in
            bars.clear()
            switch notice {
            case .waiting(let seconds, let reason):
                Output.note("Waiting \(Int(seconds.rounded(.up))) seconds for Google: \(reason.printable)")
            case .resumed(let name, let bytes):
                Output.note("Continuing \(name): \(ByteCount.text(bytes)) were here already.")
            }
        }
        return FirebaseConnection(
            transport: AdminNetwork(ProcessInfo.processInfo.environment).transport, options: options)
    }
}

/// A progress line for each download in turn.
private final class DownloadBars: Sendable {
    private struct State {
        var bar: ProgressBar?
        var model = ""
    }

    private let state = Lock(State())

    func update(_ model: String, _ number: Int, _ count: Int, _ received: UInt64, _ total: UInt64?) {
        state.withLock { state in
            if model != state.model {
                state.bar?.finish()
                state.bar = ProgressBar(label: "Downloading \(model) (\(number) of \(count))")
                state.model = model
            }
            state.bar?.update(completed: received, total: total)
        }
    }

    /// So that other text can be printed.
    func clear() { state.withLock { $0.bar?.clear() } }

    func finish() {
        state.withLock { state in
            state.bar?.finish()
            state = State()
        }
    }
}
