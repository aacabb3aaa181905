import Foundation
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthWire

/// An object as Google's storage interface shows it.
struct StorageObject: Encodable {
    let kind = "storage#object"
    let id: String
    let name: String
    let bucket: String
    let generation: String
    let metageneration = "1"
    let contentType: String
    let storageClass = "STANDARD"
    /// A number in a string, as all 64-bit numbers.
    let size: String
    let crc32c: String
    let etag: String
    let timeCreated: String
    let updated: String

    init(_ object: UploadedObject) {
        generation = String(object.createdMicroseconds)
        id = "\(object.bucket)/\(object.name)/\(generation)"
        name = object.name
        bucket = object.bucket
        contentType = object.contentType
        size = String(object.sizeBytes)
        crc32c = CRC32C(value: object.crc32c).base64
        etag = object.sha256
        timeCreated = Timestamp(microseconds: object.createdMicroseconds).rfc3339(fractionDigits: 3)
        updated = timeCreated
    }
}

/// A bucket as Google's storage interface shows it. Buckets are names only: a project has each one that it uses.
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

/// What an uploader says about an object, in JSON. Everything else that Google's interface knows is ignored.
struct StorageMetadata: Decodable, Sendable {
    var name: String?
    var contentType: String?
    var crc32c: String?

    init() {}

    /// - Throws: 400 where the bytes are no JSON object.
    init(json: [UInt8]) throws(APIError) {
        guard !json.isEmpty else { return }
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json))
        } catch {
            throw APIError(.invalidArgument, "The description of the file is not an object resource in JSON.")
        }
    }

    /// The checksum of this description, or that of the header `x-goog-hash`.
    func expected(_ head: RequestHead) throws(APIError) -> ExpectedBytes {
        var expected = ExpectedBytes()
        for text in [crc32c].compactMap({ $0 }) + Self.headerChecksums(head) {
            guard let checksum = CRC32C(base64: text), expected.crc32c ?? checksum == checksum else {
                throw APIError(.invalidArgument, "The crc32c '\(text)' is malformed, or contradicts another one.")
            }
            expected.crc32c = checksum
        }
        return expected
    }

    private static func headerChecksums(_ head: RequestHead) -> [String] {
        head.headers.values("x-goog-hash").flatMap { $0.split(separator: ",") }
            .map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("crc32c=") }.map { String($0.dropFirst(7)) }
    }
}
