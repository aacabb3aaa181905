import HearthCrypto
import HearthFiles

extension ContentStore {
    /// Reads the file again and compares length and hash: false when it is damaged or missing.
    func isWhole(_ digest: SHA256Digest, size: UInt64) throws(FileError) -> Bool {
        guard try DiskFiles().size(path(of: digest)) == size else { return false }
        return try FileDigest.sha256(path(of: digest)) == digest
    }
}
