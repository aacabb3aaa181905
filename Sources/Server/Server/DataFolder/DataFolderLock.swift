import HearthConcurrency
import HearthFiles
import HearthStorage
import HearthStorageSQLite

/// A data folder that this server uses alone: it is locked and inspected, and the server may start.
///
/// Two locks: the folder itself, because a lock file can be removed, and the lock file, because older servers know only that.
final class DataFolderLock: Sendable {
    let isFirstStart: Bool
    private let layout: DataLayout
    /// Nil after the release.
    private let locks: Lock<Locks?>

    private struct Locks {
        let folder: FileLock
        var file: FileLock
    }

    /// - Parameters:
    ///   - projectID: the project that the folder must have; nil for any.
    ///   - isShared: whether the records and model files are elsewhere, and the folder has only files of this server.
    /// - Throws: when another server uses the folder, or when no server may start with it. Then nothing was changed in it.
    init(_ layout: DataLayout, projectID: String? = nil, isShared: Bool = false) throws {
        self.layout = layout
        if PathKind(following: layout.path) == .absent { try DiskFiles().makeFolder(layout.path, mode: 0o700) }
        guard let folderLock = try FileLock.tryAcquire(folder: layout.path), !FileLease.isInUse(layout.lock) else {
            throw Self.inUse(layout)
        }
        let facts = try DataFolderInspection(layout: layout).facts()
        if isShared {
            guard facts.database == .absent else {
                throw ServerStartError(
                    """
                    The data folder \(layout.path) has records of its own. Give another --data folder to a server with \
                    --database, which keeps only its own files there.
                    """)
            }
            isFirstStart = false
        } else {
            switch StartDecision(facts, projectID: projectID) {
            case .serve: isFirstStart = false
            case .firstStart: isFirstStart = true
            case .refuse(let reason): throw ServerStartError(reason.text(layout))
            }
        }
        for folder in layout.folders { try DiskFiles().makeFolder(folder, mode: 0o700) }
        guard let fileLock = try FileLock.tryAcquire(layout.lock) else { throw Self.inUse(layout) }
        locks = Lock(Locks(folder: folderLock, file: fileLock))
    }

    private static func inUse(_ layout: DataLayout) -> ServerStartError {
        ServerStartError("Another server uses the data folder \(layout.path).")
    }

    /// Why this server may not be the only one here any more; nil while it is. If the lock file was removed, makes and locks a
    /// new one, and calls `note`.
    func obstacle(note: (String) -> Void) -> String? {
        locks.withLock { locks in
            guard let folder = locks?.folder else { return "the server has stopped" }
            guard folder.isInPlace(layout.path) else {
                return "the data folder was moved or replaced; restart the server"
            }
            if locks?.file.isInPlace(layout.lock) == true { return nil }
            guard let new = (try? FileLock.tryAcquire(layout.lock)) ?? nil else {
                return
                    "the data folder's lock file is missing, and the server cannot make a new one; restart the server"
            }
            locks?.file = new
            note(
                "The lock file \(layout.lock) was removed while the server uses it. The server made a new one; do not remove it."
            )
            return nil
        }
    }

    /// Lets another server use the folder, even while parts of this server still have this object.
    func release() { locks.withLock { $0 = nil } }
}
