/// An unfinished resumable upload. Its bytes are in the blob store under its id.
package struct UploadSession: Sendable, Hashable {
    /// Cannot be guessed: a publisher who knows it can continue the upload.
    package var id: String
    package var projectID: String
    package var bucket: String
    /// The future object's name; empty if the server names it after its hash.
    package var name: String
    /// The uploader's name for the file.
    package var fileName: String
    package var contentType: String
    package var details: ObjectDetails
    /// Conditions on the object that it will replace; checked again at the end.
    package var conditions: ObjectConditions
    /// The length of the whole file, if it was announced.
    package var totalBytes: UInt64?
    /// The CRC-32C of the whole file, if it was announced.
    package var crc32c: UInt32?
    package var createdMicroseconds: Int64
    package var createdBy: String
    /// When the last bytes arrived.
    package var touchedMicroseconds: Int64
    /// Bytes that are durable and were confirmed to the uploader.
    package var receivedBytes: UInt64
    /// Lower-case hex; set when all bytes have arrived, before they become visible under this hash.
    package var sha256: String?
    /// When the upload became an object. Its bytes are no longer stored under the id then.
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

    /// Whether no bytes arrived for more than `keptDays`. Then the server treats the upload as missing, and deletes it.
    package func hasExpired(keptDays: Int, nowMicroseconds: Int64) -> Bool {
        let (kept, overflow) = Int64(keptDays).multipliedReportingOverflow(by: 86_400_000_000)
        let (oldest, isBeforeAll) = nowMicroseconds.subtractingReportingOverflow(kept)
        return !overflow && !isBeforeAll && touchedMicroseconds < oldest
    }
}

/// What an uploader says about a file in addition to its name and media type. Answers about the object repeat it.
package struct ObjectDetails: Codable, Sendable, Hashable {
    /// MD5 of the bytes in Base64; nil if no uploader asked to compare it.
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

/// Conditions that an object must meet when the call takes effect. Nil means no condition.
///
/// A missing object has generation 0 and metageneration 0; no existing object has these.
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

    /// Whether an object meets the conditions.
    package enum Verdict: Sendable, Hashable {
        case met
        /// The object is not in the state that the caller expects.
        case unmet
        /// The object is still in the state that the caller already has.
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
