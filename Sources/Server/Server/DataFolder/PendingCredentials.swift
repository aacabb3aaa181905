import HearthFiles
import HearthStorage
import HearthWire

/// Credentials files of a first start that is not complete. Their names contain the id of their folder, until the database
/// has recorded their keys. Then they get their final names. No file is ever replaced.
struct PendingCredentials {
    let layout: DataLayout
    /// The id in the database.
    let folderID: String

    private static let mark = ".pending-"

    /// Whether a name in the folder of credentials is a pending one, or that of a partly written pending file.
    static func isPending(_ name: String, folderID: String) -> Bool {
        names.map { $0 + mark + folderID }.contains { name == $0 || AtomicFile.isTemporary(name, of: $0) }
    }

    private static let names = ["admin-service-account.json", "GoogleService-Info.plist"]

    /// The path of a credentials file until it gets its final name.
    func path(for file: String) -> String { file + Self.mark + folderID }

    /// Gives the files their final names, after the database has recorded their keys. Does nothing without pending files.
    ///
    /// - Returns: the pending files that stay, because other files have their names.
    func activate() throws(FileError) -> [String] {
        var (staying, hasMoved): ([String], Bool) = ([], false)
        for file in [layout.adminCredentials, layout.deviceCredentials] {
            let pending = path(for: file)
            try AtomicFile.sweepAbandoned(of: pending)
            guard PathKind(pending) == .file else { continue }
            guard PathKind(file) == .absent else {
                staying.append(pending)
                continue
            }
            try DiskFiles().rename(pending, to: file)
            hasMoved = true
        }
        if hasMoved { try DiskFiles().synchronizeFolder(layout.credentialsFolder) }
        return staying
    }
}
