/// Bodies of `/hearth/v1/projects/{project}/uploads`. Times are RFC 3339; int64 values are decimal strings.
public enum UploadBodies {
    /// An upload in parts of which some are missing.
    public struct Unfinished: Codable, Sendable, Equatable {
        /// Names the upload for a cancellation. It does not allow to go on with the upload.
        public var upload: String
        /// What the uploader calls the file.
        public var fileName: String
        /// What has come, decimal digits.
        public var receivedBytes: String
        /// Absent where the uploader did not say.
        public var totalBytes: String?
        /// When it was made.
        public var createTime: String
        /// Who made it: a service account's email, or `token:{id}`.
        public var createdBy: String
        /// When the last bytes came.
        public var updateTime: String
        /// When it is given up if no more come.
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

    /// Oldest first.
    package struct List: Codable, Sendable {
        /// Left out when empty.
        package var uploads: [Unfinished]?

        package init(uploads: [Unfinished]?) { self.uploads = uploads }
    }
}
