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

/// Model files in a data folder or a backup.
struct FolderBlobs: BlobPlace {
    let layout: DataLayout
    /// Nil for a place that is only read.
    var files: FileBlobStore?

    var name: String { layout.blobFolder }

    func sizes() throws -> [SHA256Digest: UInt64] {
        var sizes: [SHA256Digest: UInt64] = [:]
        for name in try DiskFiles().list(layout.blobFolder) {
            guard let digest = SHA256Digest(hex: name) else { continue }
            sizes[digest] = try DiskFiles().size(layout.blob(digest))
        }
        return sizes
    }

    func size(of digest: SHA256Digest) throws -> UInt64? { try DiskFiles().size(layout.blob(digest)) }

    func read(_ digest: SHA256Digest, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws {
        try Self.read(layout.blob(digest), receive)
    }

    static func read(_ path: String, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw StorageError(
                errno == ENOENT ? .notFound : .io, "Cannot open \(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw StorageError(.io, "Cannot read \(path): \(String(cString: strerror(errno)))")
            }
            if count == 0 { return }
            try chunk.withUnsafeBytes { try receive(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    func add(_ digest: SHA256Digest, size: UInt64, from source: any BlobPlace) throws {
        // Its own name until it is complete; the next start of a server removes what a kill left.
        let blob = try (files ?? FileBlobStore(folder: layout.blobFolder)).begin(limitBytes: size)
        do {
            try source.read(digest) { try blob.write($0) }
        } catch let error as StorageError where error.code == .tooLarge {
            throw BlobFault.damaged(digest, in: source, "it has more than \(size) bytes")
        }
        guard try blob.seal().sha256 == digest else {
            throw BlobFault.damaged(digest, in: source, "its bytes are not those of its name")
        }
        try blob.commit()
    }

    func withFile(_ digest: SHA256Digest, size: UInt64, _ body: (String) throws -> Void) throws {
        try body(layout.blob(digest))
    }

    func recordedID() throws -> String? { try layout.recordedFolderID() }
    func record(id: String) throws { try AtomicFile.write(Array("\(id)\n".utf8), to: layout.folderID) }
}

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
