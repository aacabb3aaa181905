import Foundation
import Glibc
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageS3

/// Model files in a store.
struct StoreBlobs: BlobPlace {
    let objects: S3Objects

    var name: String { objects.place }
    func sizes() throws -> [SHA256Digest: UInt64] { try objects.sizes() }
    func size(of digest: SHA256Digest) throws -> UInt64? { try objects.size(of: digest) }

    func read(_ digest: SHA256Digest, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws {
        try objects.read(digest, receive)
    }

    func add(_ digest: SHA256Digest, size: UInt64, from source: any BlobPlace) throws {
        try source.withFile(digest, size: size) { path in
            guard let found = try DiskFiles().size(path) else {
                throw BlobFault.damaged(digest, in: source, "it is not there")
            }
            guard found == size, try FileDigest.sha256(path) == digest else {
                throw BlobFault.damaged(digest, in: source, "its bytes are not those of its name")
            }
            try objects.put(path, as: digest, size: size)
        }
    }

    func withFile(_ digest: SHA256Digest, size: UInt64, _ body: (String) throws -> Void) throws {
        let folder = FilePath.join(NSTemporaryDirectory(), "hearth-copy-\(Hex.encode(SecureRandom.bytes(8)))")
        let store = try FileBlobStore(folder: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let blob = try store.begin(limitBytes: size)
        do { try objects.read(digest) { bytes throws in try blob.write(bytes) } } catch {
            guard error.code == .tooLarge else { throw error }
            throw BlobFault.damaged(digest, in: self, "it has more than \(size) bytes")
        }
        guard try blob.seal().sha256 == digest else {
            throw BlobFault.damaged(digest, in: self, "its bytes are not those of its name")
        }
        try blob.commit()
        try body(FilePath.join(folder, digest.hex))
    }

    func recordedID() throws -> String? { try objects.folderID() }
    func record(id: String) throws { try objects.record(folderID: id) }
}
