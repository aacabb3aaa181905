import Glibc
import HearthCrypto

/// One file without a name, closed with the object.
final class NamelessFile: Sendable {
    private let descriptor: Int32

    init() throws(StorageError) {
        var template = Array("/tmp/hearth-blob-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Self.failure("make a temporary file") }
        unlink(template)
    }

    deinit { close(descriptor) }

    var size: UInt64 {
        var info = stat()
        return fstat(descriptor, &info) == 0 ? UInt64(info.st_size) : 0
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = write(descriptor, base, rest.count)
            guard count > 0 else { throw Self.failure("write to a temporary file") }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    func truncate(to size: UInt64) throws(StorageError) {
        guard ftruncate(descriptor, off_t(clamping: size)) == 0, lseek(descriptor, 0, SEEK_END) >= 0 else {
            throw Self.failure("shorten a temporary file")
        }
    }

    /// A descriptor with a read position of its own.
    func reopen() throws(StorageError) -> Int32 {
        let copy = Glibc.open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
        guard copy >= 0 else { throw Self.failure("reopen a temporary file") }
        return copy
    }

    func checksums() throws(StorageError) -> BlobChecksums {
        var (hasher, checksum) = (SHA256Hasher(), CRC32C())
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var offset: off_t = 0
        while true {
            let count = pread(descriptor, &chunk, chunk.count, offset)
            guard count >= 0 else { throw Self.failure("read a temporary file") }
            if count == 0 { return BlobChecksums(sha256: hasher.finalize(), crc32c: checksum) }
            chunk.withUnsafeBytes { bytes in
                hasher.update(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                checksum.update(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
            offset += off_t(count)
        }
    }

    private static func failure(_ operation: String) -> StorageError {
        StorageError(.io, "Cannot \(operation): \(String(cString: strerror(errno)))")
    }
}
