import Foundation
import HearthCatalog
import HearthCrypto
import HearthWire

/// An object in the form of Google's storage API.
struct StorageObject: Encodable {
    let kind = "storage#object"
    let id: String
    let name: String
    let bucket: String
    let generation: String
    let metageneration: String
    let contentType: String
    let cacheControl: String?
    let contentDisposition: String?
    let contentLanguage: String?
    /// The uploader's own names and values.
    let metadata: [String: String]?
    let storageClass = "STANDARD"
    /// A number in a string, like all 64-bit numbers.
    let size: String
    let crc32c: String
    /// Only for objects whose uploader sent an MD5 to compare.
    let md5Hash: String?
    let etag: String
    let timeCreated: String
    let updated: String

    init(_ object: UploadedObject) {
        generation = String(object.generation)
        metageneration = String(object.metageneration)
        id = "\(object.bucket)/\(object.name)/\(generation)"
        name = object.name
        bucket = object.bucket
        contentType = object.contentType
        cacheControl = object.details.cacheControl
        contentDisposition = object.details.contentDisposition
        contentLanguage = object.details.contentLanguage
        metadata = object.details.metadata
        size = String(object.sizeBytes)
        crc32c = CRC32C(value: object.crc32c).base64
        md5Hash = object.details.md5
        etag = object.sha256
        timeCreated = Timestamp(microseconds: object.createdMicroseconds).rfc3339(fractionDigits: 3)
        updated = timeCreated
    }
}

/// A bucket in the form of Google's storage API. A bucket is only a name: a project has each bucket that it uses.
struct StorageBucket: Encodable {
    let kind = "storage#bucket"
    let id: String
    let name: String
    let projectNumber: String
    let location = "HEARTH"
    let locationType = "region"
    let storageClass = "STANDARD"

    init(_ name: String, of project: Project) {
        id = name
        self.name = name
        projectNumber = String(project.number)
    }
}
