package import HearthCrypto

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Hashes of files on disk.
package enum FileDigest {
    /// SHA-256 of the whole file, read in pieces of 256 KiB.
    package static func sha256(_ path: String) throws(FileError) -> SHA256Digest {
        try hasher(path).hasher.finalize()
    }

    /// A hasher that has processed the whole file and can take more bytes, and the number of the file's bytes.
    package static func hasher(_ path: String) throws(FileError) -> (hasher: SHA256Hasher, byteCount: UInt64) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError.system("open", path, errno: errno) }
        defer { close(descriptor) }
        return try hasher(descriptor, path)
    }

    /// Does not change the descriptor's position, so that several threads may read through one descriptor.
    static func hasher(
        _ descriptor: Int32, _ path: String
    ) throws(FileError) -> (hasher: SHA256Hasher, byteCount: UInt64) {
        var hasher = SHA256Hasher()
        let count = try read(descriptor, path) { hasher.update($0) }
        return (hasher, count)
    }

    /// SHA-256 and CRC-32C of the whole file, and the number of its bytes.
    static func checksums(_ path: String) throws(FileError) -> (sha256: SHA256Digest, crc32c: CRC32C, byteCount: UInt64)
    {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError.system("open", path, errno: errno) }
        defer { close(descriptor) }
        var (hasher, checksum) = (SHA256Hasher(), CRC32C())
        let count = try read(descriptor, path) { piece in
            hasher.update(piece)
            checksum.update(piece)
        }
        return (hasher.finalize(), checksum, count)
    }

    /// Passes the whole file on in pieces; returns the number of its bytes.
    private static func read(
        _ descriptor: Int32, _ path: String, _ take: (UnsafeRawBufferPointer) -> Void
    ) throws(FileError) -> UInt64 {
        var offset: off_t = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, offset)
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError.system("read", path, errno: errno)
            }
            if count == 0 { return UInt64(offset) }
            take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += off_t(count)
        }
    }
}
