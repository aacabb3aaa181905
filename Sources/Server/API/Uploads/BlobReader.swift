import Glibc
import HearthCrypto
import HearthStorage

/// Reads the bytes of an upload that is sealed and not yet in its place.
enum BlobReader {
    private static let pieceBytes = 1 << 18

    /// In pieces: memory does not depend on the file's size. Wraps `pread`.
    static func md5(of blob: any IncomingBlob, with hasher: MD5Hasher) throws(StorageError) -> MD5Digest {
        let descriptor = try blob.openForInspection()
        defer { close(descriptor) }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
        defer { piece.deallocate() }
        var offset: UInt64 = 0
        while offset < blob.size {
            let count = pread(descriptor, piece.baseAddress, piece.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StorageError(.io, "An upload's bytes cannot be read again") }
            hasher.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            offset += UInt64(count)
        }
        return hasher.finalize()
    }
}
