import Glibc
import HearthCatalog
import HearthCrypto
import HearthRouting
import HearthStorage
import HearthWire

/// The name of an uploaded file, and what is stored with it.
struct UploadTarget: Sendable {
    var projectID: String
    var bucket: String
    /// Empty if the object is to be named after its hash.
    var name: String
    /// The uploader's name for the file.
    var fileName: String
    var contentType = Self.defaultContentType
    var details = ObjectDetails()
    /// Conditions on the object that the upload replaces.
    var conditions = ObjectConditions()

    static let defaultContentType = "application/octet-stream"

    /// The object's name contains the hash. So a second upload under the same file name does not replace the first
    /// before a call uses that.
    static func namedAfterHash(project: String, fileName: String) -> UploadTarget {
        UploadTarget(projectID: project, bucket: "\(project).hearth", name: "", fileName: fileName)
    }

    init(projectID: String, bucket: String, name: String, fileName: String, contentType: String? = nil) {
        self.projectID = projectID
        self.bucket = bucket
        self.name = name
        self.fileName = fileName
        self.contentType = contentType.flatMap { Self.isPlain($0) ? $0 : nil } ?? Self.defaultContentType
    }

    init(_ session: UploadSession) {
        self.init(
            projectID: session.projectID, bucket: session.bucket, name: session.name, fileName: session.fileName,
            contentType: session.contentType)
        details = session.details
        conditions = session.conditions
    }

    func object(
        sha256: String, crc32c: CRC32C, sizeBytes: UInt64, createdMicroseconds: Int64
    ) -> UploadedObject {
        UploadedObject(
            projectID: projectID, bucket: bucket,
            name: name.isEmpty ? "Firebase/ML/Models/\(sha256)/\(fileName)" : name, sha256: sha256,
            sizeBytes: sizeBytes, crc32c: crc32c.value, contentType: contentType, details: details,
            createdMicroseconds: createdMicroseconds)
    }

    static func isPlain(_ contentType: String) -> Bool {
        (1...255).contains(contentType.utf8.count) && contentType.utf8.allSatisfy { (0x20...0x7E).contains($0) }
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
