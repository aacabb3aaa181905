import HearthBackup
import HearthLocalCommands

/// What a backup holds, without the list of its files.
struct BackupSummary: Encodable {
    var path: String
    var created: String
    var hearth: String
    var schema: Int
    var counts: BackupManifest.Counts
    var files: Int
    var blobs: Int
    var blobBytes: UInt64

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

    /// What the owner of a restored folder has to know: a backup does not know what was ended after it.
    var restoredSecrets: String {
        """
        note: Keys and tokens are those of \(created): what was revoked or ended after that is good again, and what was \
        made after that is gone. Revoke again what must not be good.
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
