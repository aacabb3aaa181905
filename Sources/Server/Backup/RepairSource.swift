import Glibc
import HearthCrypto
import HearthFiles
import HearthStorage

/// Folders in which right copies of model files may be: data folders of servers, with their caches, and backups.
package struct RepairSource: Sendable {
    private let folders: [String]

    /// - Throws: `BackupError` `.notFound` if a folder does not exist.
    package init(_ folders: [String]) throws(BackupError) {
        self.folders = folders
        for folder in folders where PathKind(following: folder) != .folder {
            throw BackupError(.notFound, "There is no folder \(folder): give a server's data folder, or a backup.")
        }
    }

    /// A file with exactly these bytes; nil if no folder has one. It is read whole.
    func file(_ digest: SHA256Digest, size: UInt64) -> String? {
        for folder in folders {
            let layout = DataLayout(folder)
            for place in [layout.blobFolder, layout.cacheFolder, folder] {
                let path = FilePath.join(place, digest.hex)
                guard FileStamp(path: path)?.size == size, (try? FileDigest.sha256(path)) == digest else { continue }
                return path
            }
        }
        return nil
    }

    /// Puts the bytes of a file in the place of a damaged one in a data folder.
    ///
    /// - Throws: if it cannot be replaced; `BackupError` `.io` as another user than the owner of the files, whose server could not
    ///   read the new one.
    func replace(_ digest: SHA256Digest, with path: String, size: UInt64, in layout: DataLayout) throws {
        var info = stat()
        guard stat(layout.blobFolder, &info) == 0, info.st_uid == geteuid() else {
            throw BackupError(
                .io, "\(layout.blobFolder) belongs to another user, whose server could not read the new file")
        }
        let blob = try FileBlobStore(folder: layout.blobFolder).begin(limitBytes: size)
        try FolderBlobs.read(path) { try blob.write($0) }
        guard try blob.seal().sha256 == digest else {
            throw BackupError(.damaged, "The file \(path) changed while it was read")
        }
        try blob.commit()
    }
}
