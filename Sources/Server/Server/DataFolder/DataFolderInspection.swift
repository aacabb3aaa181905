import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageSQLite

/// Inspects a data folder that no server uses. It changes nothing.
struct DataFolderInspection {
    let layout: DataLayout

    /// Entries that the system makes in the top folder of a disk.
    private static let systemNames: Set = ["lost+found"]

    func facts() throws -> DataFolderContents {
        var facts = DataFolderContents()
        facts.database = DatabaseInspection(path: layout.database).status()
        facts.databaseLogs = try ["-wal", "-journal"].map { layout.database + $0 }
            .filter { try DiskFiles().size($0) ?? 0 > 0 }.map(FilePath.name)
        facts.blobs = try blobs()
        facts.keys = try names(in: layout.keyFolder)
        facts.credentials = try names(in: layout.credentialsFolder)
        facts.foreignEntry = try foreignEntry()
        return facts
    }

    private func blobs() throws -> DataFolderContents.Blobs {
        var blobs = DataFolderContents.Blobs()
        switch (PathKind(layout.blobFolder), PathKind(following: layout.blobFolder)) {
        case (.absent, _): return blobs
        case (_, .folder): blobs.place = .folder
        case (.link, .absent): blobs.place = .brokenLink
        default: blobs.place = .somethingElse
        }
        guard blobs.place == .folder else { return blobs }
        blobs.folderID = try layout.recordedFolderID()
        for name in try names(in: layout.blobFolder) {
            // Also temporary files of an interrupted write of this file.
            let file = DataLayout.folderIDName
            if name == file || AtomicFile.isTemporary(name, of: file) { continue }
            blobs.entryCount += 1
            if let digest = SHA256Digest(hex: name) ?? ContentStore.TrashedFile(name: name)?.digest {
                blobs.files.insert(digest.hex)
            }
        }
        return blobs
    }

    private func names(in folder: String) throws -> [String] {
        guard PathKind(following: folder) == .folder else { return [] }
        return try DiskFiles().list(folder).filter { !Self.systemNames.contains($0) }
    }

    /// The first entry of the folder that a server does not make.
    private func foreignEntry() throws -> String? {
        try names(in: layout.path).first { !layout.isOwn($0) }
    }
}
