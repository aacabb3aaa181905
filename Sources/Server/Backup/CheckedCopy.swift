import Foundation
import Glibc
import HearthCrypto
import HearthFiles

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
