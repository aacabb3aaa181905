import HearthCrypto
import HearthFiles

/// Whether a backup's small files and database are those that its manifest names, byte for byte. A data folder has no manifest,
/// and nothing to find; model files are compared with their hashes in both.
struct ManifestCheck {
    let layout: DataLayout

    private static let remedy = "Use another backup."

    func problems() throws -> [Problem] {
        guard try DiskFiles().size(layout.file(BackupManifest.name)) != nil else { return [] }
        do throws(BackupError) {
            return try BackupManifest(in: layout).files.compactMap { file in
                wrong(file).map { Problem("file", layout.file(file.path), $0, remedy: Self.remedy) }
            }
        } catch {
            return [Problem("file", layout.file(BackupManifest.name), error.message, remedy: Self.remedy)]
        }
    }

    private func wrong(_ file: BackupManifest.File) -> String? {
        let path = layout.file(file.path)
        do throws(FileError) {
            guard let size = try DiskFiles().size(path) else { return "it is not there" }
            guard size == file.sizeBytes else { return "it has \(size) bytes, not \(file.sizeBytes)" }
            return try FileDigest.sha256(path).hex == file.sha256 ? nil : "its bytes are not those backed up"
        } catch {
            return error.message
        }
    }
}
