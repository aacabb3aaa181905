import HearthFiles
import HearthStorage
import HearthStorageSQLite

/// A database that is looked at where it lies, also while a server uses it. No file changes and none appears.
struct InspectedDatabase {
    let snapshot: SQLiteSnapshot
    private let path: String
    /// Of the file, where nobody used it; nil where somebody may.
    private let stampWhenIdle: FileStamp?

    init(_ path: String) throws(StorageError) {
        self.path = path
        if FileStamp(path: Self.log(path)) == nil {
            stampWhenIdle = FileStamp(path: path)
            snapshot = try SQLiteSnapshot(copy: path)
        } else {
            stampWhenIdle = nil
            snapshot = try SQLiteSnapshot(logged: path, hasIndex: FileStamp(path: path + "-shm") != nil)
        }
    }

    /// False when a server began to use a file that nobody used: what was read may be of several states. Whoever uses it has a log
    /// beside it, and whoever has done with it has changed the file, if anything.
    var isTrustworthy: Bool {
        guard let stampWhenIdle else { return true }
        return FileStamp(path: Self.log(path)) == nil && FileStamp(path: path) == stampWhenIdle
    }

    private static func log(_ path: String) -> String { path + "-wal" }
}
