import HearthBackup
import HearthFiles

/// Credentials files of a first start that is not over: they lie under names that tell whose folder they are of until the
/// database has recorded what they are good for. Then they get their names. No file is ever replaced.
struct PendingCredentials {
    let layout: DataLayout
    /// Of the database.
    let folderID: String

    private static let mark = ".pending-"

    /// Whether a name in the folder of credentials is one of theirs, also half written.
    static func isPending(_ name: String, folderID: String) -> Bool {
        names.map { $0 + mark + folderID }.contains { name == $0 || AtomicFile.isTemporary(name, of: $0) }
    }

    private static let names = ["admin-service-account.json", "GoogleService-Info.plist"]

    /// Where a credentials file lies until it gets its name.
    func path(for file: String) -> String { file + Self.mark + folderID }

    /// Gives the files their names, after the database has recorded what they are good for. Does nothing where there are none.
    ///
    /// - Returns: those that had to stay, because other files have their names.
    func settle() throws(FileError) -> [String] {
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
