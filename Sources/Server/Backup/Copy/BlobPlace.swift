import Foundation
import Glibc
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageS3

/// Model files as they are really stored, without a cache.
protocol BlobPlace {
    var name: String { get }
    /// All that are visible.
    func sizes() throws -> [SHA256Digest: UInt64]
    func size(of digest: SHA256Digest) throws -> UInt64?
    func read(_ digest: SHA256Digest, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws
    /// Stores the bytes of another place. They are compared with their hash on the way, and visible only if they have it.
    func add(_ digest: SHA256Digest, size: UInt64, from source: any BlobPlace) throws
    /// Lends a file with the bytes, of which there are at most `size`.
    func withFile(_ digest: SHA256Digest, size: UInt64, _ body: (String) throws -> Void) throws
    func recordedID() throws -> String?
    func record(id: String) throws
}

extension BlobPlace {
    /// What is wrong with a stored file; nil if it is complete.
    ///
    /// - Parameter present: its size, as far as it is there.
    func fault(_ digest: SHA256Digest, size: UInt64, present: UInt64?, quick: Bool) throws -> String? {
        guard let present else { return "it is not there" }
        guard present == size else { return "it has \(present) bytes, not \(size)" }
        guard !quick else { return nil }
        var hasher = SHA256Hasher()
        do {
            try read(digest) { hasher.update($0) }
        } catch let error as StorageError where error.code == .notFound {
            return "it is not there"
        }
        return hasher.finalize() == digest ? nil : "its bytes are not those of its name"
    }
}

enum BlobFault {
    static func damaged(_ digest: SHA256Digest, in place: any BlobPlace, _ text: String) -> BackupError {
        BackupError(
            .damaged,
            """
            The model file \(digest.hex) in \(place.name) is damaged: \(text). Upload the model again, or restore an older \
            backup.
            """)
    }
}
