import Foundation

/// The folder that a backup becomes. It must not exist; its parent folders may be missing.
struct BackupTarget {
    let path: String

    /// The end of the folder's name until the backup is complete.
    static let unfinishedMark = ".partial"

    init(_ path: String) { self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path }

    /// - Throws: `.exists` if anything has the name.
    func checkIsFree() throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw BackupError(.exists, "\(path) exists; choose another place for the backup.")
        }
    }

    /// Where the backup is written until it is complete.
    func staging() throws -> StagingDirectory { try StagingDirectory(for: path, mark: Self.unfinishedMark) }
}
