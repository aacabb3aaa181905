import Foundation
import Glibc
import HearthArguments
import HearthBackup
import HearthLocalCommands
import HearthWire

struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy all data of a server from a folder to a shared database and store, or back.",
        discussion: """
            A place is a data folder, or a PostgreSQL database together with an S3-compatible store. A backup's folder may be \
            the source too. The target must be empty. No server starts over it before the copy is complete.
            Servers may continue over the source. From the first moment on it is read-only for them: they answer devices, and \
            answer changes with 503. It stays so afterwards, because what it took would be missing in the copy. If you continue with \
            the source, end this with `hearth admin read-only off`.
            A copy that was interrupted continues where it was: run the same command again. At the end the command reads both \
            sides, and compares all rows and model files. Unfinished uploads are left: their uploaders begin again.
            The keys of the store are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the password of the database is PGPASSWORD; \
            files with them work as for `hearth serve`.
            """,
        examples: [
            "hearth admin copy --from hearth-data --to postgresql://db.example/hearth --to-blobs s3://models",
            "hearth admin copy --from postgresql://db.example/hearth --from-blobs s3://models --to new-data",
        ])

    @Option(help: ArgumentHelp("Data folder, backup or database to copy.", valueName: "place"))
    var from: String

    @Option(
        name: .customLong("from-blobs"), help: ArgumentHelp("Store of the database to copy.", valueName: "url"))
    var fromBlobs: String?

    @Option(help: ArgumentHelp("Empty or absent folder, or empty database.", valueName: "place"))
    var to: String

    @Option(name: .customLong("to-blobs"), help: ArgumentHelp("Store that belongs to --to.", valueName: "url"))
    var toBlobs: String?

    @Flag(help: "At the end compare only the lengths of model files, and do not read the copies again.")
    var quick = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        // Only the owner can access the copies.
        umask(0o077)
        let environment = ProcessInfo.processInfo.environment
        let source = try DataPlace(from, blobs: fromBlobs, environment: environment)
        let target = try DataPlace(to, blobs: toBlobs, environment: environment)
        let bars = StepBars()
        let report: StorageCopy.Report
        do {
            report = try StorageCopy(from: source, to: target, now: .now, quick: quick, progress: bars.show).run()
        } catch {
            bars.finish()
            if (try? ReadOnlyMode(source).current()) != nil {
                Output.note(
                    """
                    note: \(source.name) is read-only for its servers, because a copy of it has begun. Correct the cause below, \
                    and run the same command again. If you do not continue now: \(endOfReadOnly)
                    """)
            }
            throw error
        }
        bars.finish()
        if json {
            try Output.json(report)
        } else {
            Output.line(text(report))
        }
        guard report.differences.isEmpty else {
            throw CommandFailure(
                """
                The copy differs from its source, so no server starts over \(report.target). Empty it, and copy again. The \
                source is unchanged; `\(endOfReadOnly)` lets its servers take changes.
                """)
        }
        guard (try? ReadOnlyMode(source).current()) != nil else { return }
        Output.note(
            """
            note: \(report.source) stays read-only for its servers, so that nothing is lost. Start servers over the copy, and \
            send devices to them. If you continue with the source instead: \(endOfReadOnly)
            """)
    }

    private var endOfReadOnly: String {
        guard let fromBlobs else { return "hearth admin read-only off --data \(from)" }
        return "hearth admin read-only off --database '\(from)' --blobs '\(fromBlobs)'"
    }

    private func text(_ report: StorageCopy.Report) -> String {
        var lines = ["Copied \(report.source) to \(report.target)"]
        if !report.differences.isEmpty {
            lines = ["The copy of \(report.source) in \(report.target) differs:"]
            lines += report.differences.map { "  \($0)" }
        }
        lines.append("  records:       \(report.rows) rows of \(Quantity.text(report.tables.count, "table")), compared")
        lines.append("  model files:   \(report.blobs) (\(ByteCount.text(report.blobBytes))), compared")
        lines.append("  signing keys:  \(report.signingKeys)")
        if report.unfinishedUploads > 0 {
            lines.append("  left:          \(Quantity.text(report.unfinishedUploads, "unfinished upload"))")
        }
        return lines.joined(separator: "\n")
    }
}

/// A progress bar for each step.
private final class StepBars {
    private var step: StorageCopy.Progress.Step?
    private var bar: ProgressBar?

    func show(_ progress: StorageCopy.Progress) {
        if step != progress.step {
            finish()
            step = progress.step
            bar =
                switch progress.step {
                case .rows: ProgressBar(label: "Copying records", unit: .pieces)
                case .files: ProgressBar(label: "Copying model files")
                case .comparison: ProgressBar(label: "Comparing", unit: .pieces)
                }
        }
        bar?.update(completed: progress.done, total: progress.total)
    }

    func finish() {
        bar?.finish()
        bar = nil
    }
}
