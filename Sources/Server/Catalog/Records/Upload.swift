/// An uploaded file, under the name that management calls use for it: `gs://{bucket}/{name}`.
package struct UploadedObject: Sendable, Hashable {
    package var projectID: String
    package var bucket: String
    package var name: String
    /// Lower-case hex SHA-256.
    package var sha256: String
    package var sizeBytes: UInt64
    /// CRC-32C of the bytes.
    package var crc32c: UInt32
    package var contentType: String
    package var details: ObjectDetails
    package var createdMicroseconds: Int64

    package init(
        projectID: String, bucket: String, name: String, sha256: String, sizeBytes: UInt64, crc32c: UInt32,
        contentType: String = "application/octet-stream", details: ObjectDetails = ObjectDetails(),
        createdMicroseconds: Int64
    ) {
        self.projectID = projectID
        self.bucket = bucket
        self.name = name
        self.sha256 = sha256
        self.sizeBytes = sizeBytes
        self.crc32c = crc32c
        self.contentType = contentType
        self.details = details
        self.createdMicroseconds = createdMicroseconds
    }

    /// Grows each time that the object is written anew: `follow` sees to it.
    package var generation: Int64 { createdMicroseconds }
    /// Grows each time that what is said of the object changes while its bytes stay: never, here.
    package var metageneration: Int64 { 1 }

    /// Takes the place of `present`, whatever the clock says.
    package mutating func follow(_ present: UploadedObject?) {
        guard let present, present.generation < .max else { return }
        createdMicroseconds = max(createdMicroseconds, present.generation + 1)
    }

    package var uri: String { "gs://\(bucket)/\(name)" }
}

/// A resumable upload under way. Its bytes lie in the blob store under its id.
package struct UploadSession: Sendable, Hashable {
    /// Unguessable: whoever knows it and may publish can go on with the upload.
    package var id: String
    package var projectID: String
    package var bucket: String
    /// Of the object to be; empty when the server is to name it after its hash.
    package var name: String
    /// What the uploader calls the file.
    package var fileName: String
    package var contentType: String
    package var details: ObjectDetails
    /// Of the object that this one is to take the place of; looked at again at the end.
    package var conditions: ObjectConditions
    /// The whole length, where it was announced.
    package var totalBytes: UInt64?
    /// The CRC-32C of the whole, where it was announced.
    package var crc32c: UInt32?
    package var createdMicroseconds: Int64
    package var createdBy: String
    /// When the last bytes came.
    package var touchedMicroseconds: Int64
    /// Bytes that are durable and that the uploader was told of.
    package var receivedBytes: UInt64
    /// Lower-case hex; set when all bytes are there, before they become visible under this hash.
    package var sha256: String?
    /// When the upload became an object; its bytes are no longer kept under the id then.
    package var finishedMicroseconds: Int64?

    package init(
        id: String, projectID: String, bucket: String, name: String, fileName: String, contentType: String,
        details: ObjectDetails = ObjectDetails(), conditions: ObjectConditions = ObjectConditions(),
        totalBytes: UInt64?, crc32c: UInt32?, createdMicroseconds: Int64, createdBy: String, touchedMicroseconds: Int64,
        receivedBytes: UInt64 = 0, sha256: String? = nil, finishedMicroseconds: Int64? = nil
    ) {
        self.id = id
        self.projectID = projectID
        self.bucket = bucket
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
        self.details = details
        self.conditions = conditions
        self.totalBytes = totalBytes
        self.crc32c = crc32c
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
        self.touchedMicroseconds = touchedMicroseconds
        self.receivedBytes = receivedBytes
        self.sha256 = sha256
        self.finishedMicroseconds = finishedMicroseconds
    }

    /// Whether nothing came for more than `keptDays`: the upload is given up then, and whoever looks for it finds none.
    package func hasExpired(keptDays: Int, nowMicroseconds: Int64) -> Bool {
        let (kept, overflow) = Int64(keptDays).multipliedReportingOverflow(by: 86_400_000_000)
        let (oldest, isBeforeAll) = nowMicroseconds.subtractingReportingOverflow(kept)
        return !overflow && !isBeforeAll && touchedMicroseconds < oldest
    }
}

/// What an uploader says of a file beside its name and media type, and wants to be told again.
package struct ObjectDetails: Codable, Sendable, Hashable {
    /// MD5 of the bytes in Base64; nil where nobody asked for it to be compared.
    package var md5: String?
    package var cacheControl: String?
    package var contentDisposition: String?
    package var contentLanguage: String?
    /// The uploader's own names and values.
    package var metadata: [String: String]?

    package init(
        md5: String? = nil, cacheControl: String? = nil, contentDisposition: String? = nil,
        contentLanguage: String? = nil, metadata: [String: String]? = nil
    ) {
        self.md5 = md5
        self.cacheControl = cacheControl
        self.contentDisposition = contentDisposition
        self.contentLanguage = contentLanguage
        self.metadata = metadata
    }
}

/// What a caller wants to be true of an object when the call takes effect. Nil asks for nothing.
///
/// An object that is not there has generation 0 and metageneration 0; no object that is there has these.
package struct ObjectConditions: Codable, Sendable, Hashable {
    package var generation: Int64?
    package var otherGeneration: Int64?
    package var metageneration: Int64?
    package var otherMetageneration: Int64?

    package init(
        generation: Int64? = nil, otherGeneration: Int64? = nil, metageneration: Int64? = nil,
        otherMetageneration: Int64? = nil
    ) {
        self.generation = generation
        self.otherGeneration = otherGeneration
        self.metageneration = metageneration
        self.otherMetageneration = otherMetageneration
    }

    package enum Verdict: Sendable, Hashable {
        case met
        /// The object is another one than the caller wants.
        case unmet
        /// The object is still the one that the caller has already.
        case unchanged
    }

    package func verdict(on object: UploadedObject?) -> Verdict {
        let present = (generation: object?.generation ?? 0, metageneration: object?.metageneration ?? 0)
        if let generation, generation != present.generation { return .unmet }
        if let metageneration, metageneration != present.metageneration { return .unmet }
        if otherGeneration == present.generation || otherMetageneration == present.metageneration { return .unchanged }
        return .met
    }
}
