import Foundation
import HearthAdmin
import HearthArguments
import HearthFirebaseImport
import HearthLocalCommands

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
                "\(error.sentence) What came so far is in \(command.keep); the same command continues from there.",
                code: error.code.rawValue, cause: error)
        }
    }

    private func fetch(_ report: inout ImportReport) throws {
        let connection = try connection()
        let folder = ImportFolder(command.keep)
        let bars = DownloadBars()
        defer { bars.finish() }
        let models = ModelFetch(connection: connection, folder: folder, progress: bars.update)
        let installation = try command.plist.map { try AppInstallation(plist: $0) }
        if let bundleID = installation?.bundleID, !bundleID.isEmpty { report.bundleIDs = [bundleID] }
        if let file = command.serviceAccount {
            let account = try GoogleAccount(keyFile: file)
            try folder.open(for: account.project)
            report.problems += try models.fetchAll(account, installation: installation)
            bars.finish()
            let bar = ProgressBar(label: "Fetching Remote Config", unit: .pieces)
            defer { bar.finish() }
            let templates = TemplateFetch(account: account, connection: connection, folder: folder) { _, done, count in
                bar.update(completed: UInt64(done), total: UInt64(count))
            }
            report.problems += try templates.fetchAll()
        } else if let installation {
            try folder.open(for: installation.project)
            report.problems += try models.fetch(command.model, installation)
        } else if let file = command.command {
            let pasted = try BulkDownloadCommand(file == "-" ? Self.standardInput() : TextFile.read(file))
            try folder.open(for: "bulk-download")
            report.problems += pasted.problems.map { FetchProblem(pasted: $0) }
            report.problems += try models.fetch(pasted)
        }
    }

    private static func standardInput() throws(CommandFailure) -> String {
        guard let data = try? FileHandle.standardInput.readToEnd(), let text = String(data: data, encoding: .utf8)
        else {
            throw CommandFailure("There is no command on standard input.")
        }
        return text
    }

    private func connection() throws -> FirebaseConnection {
        var options = FirebaseConnection.Options()
        options.endpoint = command.endpoint
        options.trace = try command.trace.map { try FirebaseTrace(path: $0) }
        options.cancellation = interruption.cancellation
        options.sleep = { [interruption] in interruption.pause($0) }
        options.onNotice = { notice in
            switch notice {
            case .waiting(let seconds, let reason):
                Output.note("Waiting \(Int(seconds.rounded(.up))) seconds for Google: \(reason)")
            case .resumed(let name, let bytes):
                Output.note("Continuing \(name): \(ByteCount.text(bytes)) were here already.")
            }
        }
        return FirebaseConnection(
            transport: AdminNetwork(ProcessInfo.processInfo.environment).transport, options: options)
    }
}

/// A progress line for each download in turn. One thread.
private final class DownloadBars {
    private var bar: ProgressBar?
    private var model = ""

    func update(_ model: String, _ number: Int, _ count: Int, _ received: UInt64, _ total: UInt64?) {
        if model != self.model {
            bar?.finish()
            bar = ProgressBar(label: "Downloading \(model) (\(number) of \(count))")
            self.model = model
        }
        bar?.update(completed: received, total: total)
    }

    func finish() {
        bar?.finish()
        bar = nil
        model = ""
    }
}
