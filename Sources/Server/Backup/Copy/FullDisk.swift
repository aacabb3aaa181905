import HearthFiles
import HearthStorage

/// Tells of a full disk which one it is: neither SQLite nor the names of single files do.
enum FullDisk {
    /// - Parameter result: what `body` writes.
    static func naming<Value>(_ result: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as FileError where error.code == .noSpace {
            throw full(result)
        } catch let error as StorageError where error.code == .noSpace {
            throw full(result)
        }
    }

    private static func full(_ result: String) -> BackupError {
        BackupError(
            .noSpace, "The disk of \(result) is full. Make room on it, or choose another place; nothing was left there."
        )
    }
}
