import Glibc
import HearthArguments
import HearthBackup
import HearthLocalCommands
import HearthWire

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy all that a server keeps, also while it runs.",
        discussion: """
            The backup holds the database, every model file that it needs, and the server's keys and credentials: keep it \
            as safe as the server. Uploads under way are left out. A backup that was cut short lies under another name \
            and is never taken for a whole one.
            """,
        examples: [
            "hearth admin backup backups/monday",
            "hearth admin backup /mnt/backups/monday --data /var/lib/hearth",
        ])

    @Argument(help: "Folder of the backup; must not exist.")
    var target: String

    @OptionGroup var data: DataOption

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        // The copies are their owner's only.
        umask(0o077)
        let manifest = try BackupWriter(data: data.path, target: target, now: .now).run()
        if json { return try Output.json(BackupSummary(manifest, path: target)) }
        Output.line(BackupSummary(manifest, path: target).text("Backed up \(data.path) to \(target)"))
    }
}
