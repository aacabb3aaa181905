import Glibc
import HearthArguments
import HearthBackup
import HearthLocalCommands
import HearthWire

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up a server, also while it runs.",
        discussion: """
            The backup contains the database, every model file that it needs, and the server's keys and credentials: keep it \
            as safe as the server. It leaves out unfinished uploads and the trash. An interrupted backup has another name, and \
            no command accepts it as a backup.
            With --keep the command makes the backup inside of the folder, with the time as its name. Then it deletes the oldest \
            of these backups beyond the number, and nothing else in the folder.
            With --database and --blobs it backs up what several servers share, as of one moment. The backup has the same form.
            """,
        examples: [
            "hearth admin backup backups/monday",
            "hearth admin backup /var/backups/hearth --keep 14 --data /var/lib/hearth",
            "hearth admin backup monday --database postgresql://hearth@db.example/hearth --blobs s3://models",
        ])

    @Argument(help: "Folder of the backup. It must not exist, unless you give --keep.")
    var target: String

    @Option(help: ArgumentHelp("Keep so many backups in the folder, with the new one.", valueName: "count"))
    var keep: Int?

    @OptionGroup var place: DataPlaceOptions

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard keep ?? 1 >= 1 else { throw ValidationError("--keep must be 1 or more.") }
    }

    func run() throws {
        // Only the owner can access the copies.
        umask(0o077)
        let place = try place.place
        let make: (String) throws -> BackupManifest = { target in
            switch place {
            case .folder(let path): try BackupWriter(data: path, target: target, now: .now).run()
            case .shared(let shared): try SharedBackupWriter(shared, target: target, now: .now).run()
            }
        }
        guard let keep else {
            let summary = BackupSummary(try make(target), path: target)
            return try json
                ? Output.json(summary) : Output.line(summary.text("Backed up \(place.name) to \(target)"))
        }
        let result = try BackupSeries(folder: target, keep: keep, now: .now, make: make).run()
        var summary = BackupSummary(result.manifest, path: result.path)
        summary.deleted = result.deleted
        if json { return try Output.json(summary) }
        Output.line(summary.text("Backed up \(place.name) to \(result.path)"))
        for name in result.deleted { Output.line("  deleted:      \(target)/\(name)") }
    }
}

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a backup into a new data folder.",
        discussion: """
            The command checks every byte before the folder appears. Then start the server with the new folder. No server \
            may use it before.
            To restore to a database and a store that servers share: hearth admin copy --from BACKUP --to postgresql://…
            """,
        examples: ["hearth admin restore backups/monday --data restored-data"])

    @Argument(help: "Folder of the backup.")
    var backup: String

    @OptionGroup var data: DataOption

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard !data.path.contains("://") else {
            throw ValidationError(
                "--data is a folder. To restore to a database: hearth admin copy --from \(backup) --to postgresql://… --to-blobs s3://…"
            )
        }
    }

    func run() throws {
        umask(0o077)
        let manifest = try BackupRestorer(backup: backup, target: data.path).run()
        let summary = BackupSummary(manifest, path: data.path)
        try json ? Output.json(summary) : Output.line(summary.text("Restored \(backup) to \(data.path)"))
        Output.note(summary.restoredSecrets)
    }
}

/// The description of a backup, without the list of its files.
struct BackupSummary: Encodable {
    var path: String
    var created: String
    var hearth: String
    var schema: Int
    var counts: BackupManifest.Counts
    var files: Int
    var blobs: Int
    var blobBytes: UInt64
    /// The names of older backups that were deleted.
    var deleted: [String]?

    init(_ manifest: BackupManifest, path: String) {
        self.path = path
        created = manifest.created
        hearth = manifest.hearth
        schema = manifest.schema
        counts = manifest.counts
        files = manifest.files.count
        blobs = manifest.blobs.count
        blobBytes = manifest.blobBytes
    }

    /// Keys and tokens that were revoked or made after the backup have their old state again.
    var restoredSecrets: String {
        """
        note: Keys and tokens are those of \(created). What was revoked or ended after that time is valid again, and what was \
        made after that time is unknown. Revoke again what must not be valid.
        """
    }

    func text(_ title: String) -> String {
        """
        \(title)
          made:         \(created) by Hearth \(hearth)
          records:      \(counts.text)
          model files:  \(blobs) (\(ByteCount.text(blobBytes)))
        """
    }
}

extension BackupManifest.Counts {
    var text: String {
        [
            Quantity.text(projects, "project"), Quantity.text(models, "model"), Quantity.text(versions, "version"),
            Quantity.text(releases, "release"), Quantity.text(uploads, "upload"),
            Quantity.text(installations, "installation"),
        ].joined(separator: ", ")
    }
}
