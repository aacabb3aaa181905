import Foundation
import Glibc
import HearthCrypto
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

/// Copies files and hashes their bytes. When a call returns, the copy is durable, and only its owner can access it.
struct CheckedCopy {
    var files: any FileOperations = DiskFiles()

    /// The hash and the size of the copied bytes.
    struct Result: Equatable {
        let digest: SHA256Digest
        let sizeBytes: UInt64
    }

    /// Copies the regular file `source` to `target`, which must not exist.
    ///
    /// - Throws: `.notFound` if there is no such file.
    func copy(_ source: String, to target: String) throws(FileError) -> Result {
        let descriptor = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw FileError(
                errno == ENOENT ? .notFound : .io, "Cannot open \(source): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        let copy = try files.createFile(target, mode: 0o600)
        do throws(FileError) {
            return try fill(copy, from: descriptor, source)
        } catch {
            try? files.remove(target)
            throw error
        }
    }

    private func fill(_ copy: any WritableFile, from descriptor: Int32, _ source: String) throws(FileError) -> Result {
        var hasher = SHA256Hasher()
        var size: UInt64 = 0
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw FileError(.io, "Cannot read \(source): \(String(cString: strerror(errno)))")
            }
            if count == 0 { break }
            let piece = Array(chunk[..<count])
            piece.withUnsafeBytes { hasher.update($0) }
            try copy.write(piece)
            size += UInt64(count)
        }
        try copy.synchronize()
        return Result(digest: hasher.finalize(), sizeBytes: size)
    }
}
