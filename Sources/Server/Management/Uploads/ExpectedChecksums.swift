import Glibc
import HearthCatalog
import HearthCrypto
import HearthRouting
import HearthStorage
import HearthWire

/// The checksums that the uploader announced; nil for those that it did not.
struct ExpectedChecksums: Sendable {
    var crc32c: CRC32C?
    var sha256: SHA256Digest?
    /// Computed only if it is expected, because the file must be read again for it.
    var md5: MD5Digest?

    /// - Throws: 400 if the received bytes are different.
    func check(_ found: SHA256Digest, _ checksum: CRC32C) throws(APIError) {
        if let crc32c, crc32c != checksum {
            throw APIError(
                .invalidArgument,
                "The CRC-32C of the received bytes is \(checksum.base64), but \(crc32c.base64) was announced.")
        }
        if let sha256, sha256 != found {
            throw APIError(
                .invalidArgument, "The SHA-256 of the received bytes is \(found), but \(sha256) was announced.")
        }
    }

    /// Reads the sealed bytes again if their MD5 was announced.
    ///
    /// - Throws: 400 if their MD5 is different, 501 if this machine cannot compute MD5.
    func checkMD5(of blob: any IncomingBlob) throws {
        guard let md5 else { return }
        guard let hasher = MD5Hasher() else {
            throw APIError(.unimplemented, "This server cannot compute MD5; have the tool use crc32c.")
        }
        let found = try BlobReader.md5(of: blob, with: hasher)
        guard found == md5 else {
            throw APIError(
                .invalidArgument, "The MD5 of the received bytes is \(found.base64), but \(md5.base64) was announced.")
        }
    }
}

/// Reads the bytes of an upload that is sealed and not in its place yet.
enum BlobReader {
    private static let pieceBytes = 1 << 18

    /// Reads in pieces, so that memory does not depend on the file's size. Wraps `pread`.
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
