import HearthConcurrency
import HearthFiles
import HearthStorage

/// A data folder that this server alone uses: locked, looked at, and found good to start over.
///
/// The folder itself is locked, since a lock file can be removed; and the lock file, for older Hearths, which know nothing else.
final class DataFolderLock: Sendable {
    let isFirstStart: Bool
    private let layout: DataLayout
    /// Nil once they were given up.
    private let locks: Lock<Locks?>

    private struct Locks {
        let folder: FileLock
        var file: FileLock
    }

    /// - Parameter projectID: the project that the folder is to have; nil for any.
    /// - Throws: when another server uses the folder, and when none may start over it; then nothing was changed in it.
    init(_ layout: DataLayout, projectID: String? = nil) throws {
        self.layout = layout
        if PathKind(following: layout.path) == .absent { try DiskFiles().makeFolder(layout.path, mode: 0o700) }
        guard let folderLock = try FileLock.tryAcquire(folder: layout.path), !FileLease.isInUse(layout.lock) else {
            throw Self.inUse(layout)
        }
        switch StartDecision(try DataFolderInspection(layout: layout).facts(), projectID: projectID) {
        case .serve: isFirstStart = false
        case .firstStart: isFirstStart = true
        case .refuse(let reason): throw ServerStartError(reason.text(layout))
        }
        for folder in layout.folders { try DiskFiles().makeFolder(folder, mode: 0o700) }
        guard let fileLock = try FileLock.tryAcquire(layout.lock) else { throw Self.inUse(layout) }
        locks = Lock(Locks(folder: folderLock, file: fileLock))
    }

    private static func inUse(_ layout: DataLayout) -> ServerStartError {
        ServerStartError("Another server uses the data folder \(layout.path).")
    }

    /// Why this server may no longer be the only one here; nil while it is. A lock file that was removed is made and locked
    /// again, which `note` is told of.
    func obstacle(note: (String) -> Void) -> String? {
        locks.withLock { locks in
            guard let folder = locks?.folder else { return "the server has stopped" }
            guard folder.isInPlace(layout.path) else {
                return "the data folder was moved or replaced; restart the server"
            }
            if locks?.file.isInPlace(layout.lock) == true { return nil }
            guard let new = (try? FileLock.tryAcquire(layout.lock)) ?? nil else {
                return "the data folder's lock file is gone, and cannot be made again; restart the server"
            }
            locks?.file = new
            note(
                "The lock file \(layout.lock) was removed while the server uses it; it was made again. Leave it there.")
            return nil
        }
    }

    /// Lets another server use the folder, although parts of this one may still hold this object.
    func release() { locks.withLock { $0 = nil } }
}
