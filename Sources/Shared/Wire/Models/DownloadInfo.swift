/// The answer to `…/models/{display name}:download`. Every value is a string, as clients expect.
package struct DownloadInfo: Codable, Sendable {
    package var downloadUri: String
    /// RFC 3339 with exactly three fraction digits: Android's client would read six digits as that many milliseconds.
    package var expireTime: String
    package var sizeBytes: String
    package var modelFormat: String?

    package init(downloadUri: String, expireTime: String, sizeBytes: String) {
        self.downloadUri = downloadUri
        self.expireTime = expireTime
        self.sizeBytes = sizeBytes
        modelFormat = "TFLITE"
    }
}
