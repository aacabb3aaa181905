import Glibc
import HearthCrypto
import HearthStorage

/// Hashes of parts of files.
enum FileRange {
    /// SHA-256 of some of a file's bytes.
    ///
    /// - Throws: `.io` if the file is shorter.
    static func sha256(_ path: String, _ range: Range<UInt64>) throws(StorageError) -> SHA256Digest {
        let descriptor = try BlobFile.descriptor(of: path)
        defer { close(descriptor) }
        var hasher = SHA256Hasher()
        var position = range.lowerBound
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 64)
        defer { buffer.deallocate() }
        while position < range.upperBound {
            let wanted = min(UInt64(buffer.count), range.upperBound - position)
            let count = pread(descriptor, buffer.baseAddress, Int(wanted), off_t(position))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StorageError(.io, "Cannot read \(path): it is shorter than it was") }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += UInt64(count)
        }
        return hasher.finalize()
    }
}
