import HearthWire

/// Bodies of `/hearth/v1/projects/{project}/uploads`. Times are RFC 3339; int64 values are decimal strings.
public enum UploadBodies {
    /// An upload in parts, of which some are missing.
    public struct Unfinished: Codable, Sendable, Equatable {
        /// The name of the upload, with which it can be cancelled. It does not allow a client to continue the upload.
        public var upload: String
        /// The file's name, as the uploader sent it.
        public var fileName: String
        /// The bytes that have arrived, in decimal digits.
        public var receivedBytes: String
        /// The bytes of the whole file; absent when the uploader did not send it.
        public var totalBytes: String?
        /// When it was created.
        public var createTime: String
        /// Who created it: a service account's email, or `token:{id}`.
        public var createdBy: String
        /// When the last bytes arrived.
        public var updateTime: String
        /// When the upload expires if no further bytes arrive.
        public var expireTime: String

        package init(
            upload: String, fileName: String, receivedBytes: String, totalBytes: String?, createTime: String,
            createdBy: String, updateTime: String, expireTime: String
        ) {
            self.upload = upload
            self.fileName = fileName
            self.receivedBytes = receivedBytes
            self.totalBytes = totalBytes
            self.createTime = createTime
            self.createdBy = createdBy
            self.updateTime = updateTime
            self.expireTime = expireTime
        }
    }

    /// Packs an uploaded zip.
    package struct PackRequest: Codable, Sendable, KeyedBody {
        /// The `gs://bucket/object` from the answer to the upload.
        package var source: String

        package enum CodingKeys: String, CodingKey, CaseIterable { case source }

        package init(source: String) { self.source = source }
    }

    /// The list, oldest first.
    package struct List: Codable, Sendable {
        /// Omitted when empty.
        package var uploads: [Unfinished]?

        package init(uploads: [Unfinished]?) { self.uploads = uploads }
    }
}
