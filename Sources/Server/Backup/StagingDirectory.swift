import Foundation
import Glibc
import HearthFiles

/// A folder in which a large result is built before it gets its name in one step.
///
/// Its name is that of the result with a suffix, and it contains a lock file. Its content is worthless: a folder that a
/// killed program left is taken over and emptied.
final class StagingDirectory {
    let folder: String
    private let result: String
    private var lock: FileLock?
    private var isFinished = false

    private static let lockName = ".hearth-work"

    /// - Parameters:
    ///   - result: the final path of the folder.
    ///   - mark: the suffix of its name until then.
    init(for result: String, mark: String) throws {
        self.result = result
        folder = result + mark
        let lockFile = FilePath.join(folder, Self.lockName)
        if let entries = try? FileManager.default.contentsOfDirectory(atPath: folder) {
            guard entries.isEmpty || entries.contains(Self.lockName) else {
                throw BackupError(.exists, "\(folder) is in the way; remove it or choose another place.")
            }
        }
        try DiskFiles().makeFolder(folder, mode: 0o700)
        guard let lock = try FileLock.tryAcquire(lockFile) else {
            throw BackupError(.busy, "Another program is writing \(folder); wait for it.")
        }
        self.lock = lock
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name != Self.lockName {
            try FileManager.default.removeItem(atPath: FilePath.join(folder, name))
        }
    }

    /// Gives the folder its final name. All its content must be durable.
    func finish() throws {
        let files = DiskFiles()
        try files.remove(FilePath.join(folder, Self.lockName))
        try files.synchronizeFolder(folder)
        // Replaces an empty folder, and fails for anything else.
        try files.rename(folder, to: result)
        isFinished = true
        try files.synchronizeFolder(FilePath.folder(of: result))
    }

    deinit {
        if !isFinished, lock != nil { try? FileManager.default.removeItem(atPath: folder) }
    }
}
