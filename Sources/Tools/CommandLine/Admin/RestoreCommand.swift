import Glibc
import HearthArguments
import HearthBackup
import HearthLocalCommands

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a data folder from a backup.",
        discussion: """
            Every byte is checked before the folder appears. Then start the server over it; it must not run meanwhile.
            """,
        examples: ["hearth admin restore backups/monday --data restored-data"])

    @Argument(help: "Folder of the backup.")
    var backup: String

    @OptionGroup var data: DataOption

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        umask(0o077)
        let manifest = try BackupRestorer(backup: backup, target: data.path).run()
        let summary = BackupSummary(manifest, path: data.path)
        try json ? Output.json(summary) : Output.line(summary.text("Restored \(backup) to \(data.path)"))
        Output.note(summary.restoredSecrets)
    }
}
