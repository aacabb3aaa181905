import Foundation
import HearthFiles

/// A folder in which something large is put together before it gets its name in one step.
///
/// It is called like the result with a mark behind, holds a lock, and has nobody's data: one that was left by a program
/// that was killed is taken over and emptied.
final class Workplace {
    let folder: String
    private let result: String
    private var lock: FileLock?
    private var isFinished = false

    private static let lockName = ".hearth-work"

    /// - Parameters:
    ///   - result: where the folder will lie.
    ///   - mark: what is put behind its name until then.
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

    /// Gives the folder its name. All that is in it must be durable.
    func finish() throws {
        let files = DiskFiles()
        try files.remove(FilePath.join(folder, Self.lockName))
        try files.synchronizeFolder(folder)
        // Takes the place of an empty folder, and of nothing else.
        try files.rename(folder, to: result)
        isFinished = true
        try files.synchronizeFolder(FilePath.folder(of: result))
    }

    deinit {
        if !isFinished, lock != nil { try? FileManager.default.removeItem(atPath: folder) }
    }
}
