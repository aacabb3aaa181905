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

    /// Grows each time the object is replaced: `follow` ensures it.
    package var generation: Int64 { createdMicroseconds }
    /// Counts changes of an object's description while its bytes stay. Hearth has no such changes.
    package var metageneration: Int64 { 1 }

    /// Becomes the successor of `present`: with a higher generation, whatever the clock says.
    package mutating func follow(_ present: UploadedObject?) {
        guard let present, present.generation < .max else { return }
        createdMicroseconds = max(createdMicroseconds, present.generation + 1)
    }

    package var uri: String { "gs://\(bucket)/\(name)" }
}
