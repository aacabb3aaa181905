import Glibc
import HearthCrypto
import HearthStorage

/// Hashes of parts of files.
enum FileRange {
    /// SHA-256 of some of a file's bytes.
    ///
    /// - Throws: `.io` if the file is shorter.
    static func sha256(_ path: String, _ range: Range<UInt64>) throws(StorageError) -> SHA256Digest {
        var hasher = SHA256Hasher()
        try read(path, range) { hasher.update($0) }
        return hasher.finalize()
    }

    /// MD5 of some of a file's bytes; nil if this machine cannot compute MD5.
    ///
    /// - Throws: `.io` if the file is shorter.
    static func md5(_ path: String, _ range: Range<UInt64>) throws(StorageError) -> MD5Digest? {
        guard let hasher = MD5Hasher() else { return nil }
        try read(path, range) { hasher.update($0) }
        return hasher.finalize()
    }

    private static func read(
        _ path: String, _ range: Range<UInt64>, _ take: (UnsafeRawBufferPointer) -> Void
    ) throws(StorageError) {
        let descriptor = try BlobFile.descriptor(of: path)
        defer { close(descriptor) }
        var position = range.lowerBound
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 64)
        defer { buffer.deallocate() }
        while position < range.upperBound {
            let wanted = min(UInt64(buffer.count), range.upperBound - position)
            let count = pread(descriptor, buffer.baseAddress, Int(wanted), off_t(position))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StorageError(.io, "Cannot read \(path): it is shorter than it was") }
            take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += UInt64(count)
        }
    }
}
