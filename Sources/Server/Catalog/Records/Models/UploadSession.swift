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
