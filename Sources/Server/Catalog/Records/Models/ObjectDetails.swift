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
