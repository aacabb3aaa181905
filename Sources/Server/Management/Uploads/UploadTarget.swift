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
