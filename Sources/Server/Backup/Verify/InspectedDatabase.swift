import HearthFiles
import HearthStorage
import HearthStorageSQLite

/// A database that is looked at where it lies, also while a server uses it. No file changes and none appears.
struct InspectedDatabase {
    let snapshot: SQLiteSnapshot
    private let path: String
    /// Of the file, where nobody used it; nil where somebody may.
    private let stampWhenIdle: FileStamp?

    /// Nil where a server begins to use the file or ends at this moment, and where the log lies there without its index, which
    /// could not be read without making one.
    init?(_ path: String) throws(StorageError) {
        self.path = path
        let hasLog = FileStamp(path: Self.log(path)) != nil
        stampWhenIdle = hasLog ? nil : FileStamp(path: path)
        guard !hasLog || FileStamp(path: path + "-shm") != nil else { return nil }
        do throws(StorageError) {
            snapshot = try hasLog ? SQLiteSnapshot(logged: path) : SQLiteSnapshot(copy: path)
        } catch {
            guard hasLog == (FileStamp(path: Self.log(path)) != nil) else { return nil }
            throw error
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
