import HearthCatalog
import HearthCrypto
import HearthWire

/// What an uploaded file is to be called.
struct UploadTarget: Sendable {
    var projectID: String
    var bucket: String
    /// Empty when the object is to be named after its hash.
    var name: String
    /// What the uploader calls the file.
    var fileName: String
    var contentType = Self.defaultContentType

    static let defaultContentType = "application/octet-stream"

    /// The hash in the name keeps two uploads under one file name from taking each other's place between an upload and
    /// the call that uses it.
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
    }

    func object(
        sha256: String, crc32c: CRC32C, sizeBytes: UInt64, createdMicroseconds: Int64
    ) -> UploadedObject {
        UploadedObject(
            projectID: projectID, bucket: bucket,
            name: name.isEmpty ? "Firebase/ML/Models/\(sha256)/\(fileName)" : name, sha256: sha256,
            sizeBytes: sizeBytes, crc32c: crc32c.value, contentType: contentType,
            createdMicroseconds: createdMicroseconds)
    }

    private static func isPlain(_ contentType: String) -> Bool {
        (1...255).contains(contentType.utf8.count) && contentType.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}

/// What the uploader says that the bytes are; nil where it says nothing.
struct ExpectedBytes: Sendable {
    var crc32c: CRC32C?
    var sha256: SHA256Digest?

    /// - Throws: 400 where the bytes that came are others.
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
}
