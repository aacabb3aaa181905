import Foundation
import Glibc
import HearthCrypto
import HearthFiles
import HearthStorage
import HearthStorageS3

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
