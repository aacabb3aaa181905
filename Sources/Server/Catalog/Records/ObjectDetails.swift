/// What an uploader says of a file beside its name and media type, and wants to be told again.
public struct ObjectDetails: Codable, Sendable, Hashable {
    /// MD5 of the bytes in Base64; nil where nobody asked for it to be compared.
    public var md5: String?
    public var cacheControl: String?
    public var contentDisposition: String?
    public var contentLanguage: String?
    /// The uploader's own names and values.
    public var metadata: [String: String]?

    public init(
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
