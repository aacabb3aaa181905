/// What a zip may ask for. Each limit is inclusive.
public struct ZipLimits: Sendable, Equatable {
    /// Entries, folders included.
    public var members = 1_000
    /// Bytes of one member once decompressed.
    public var bytesPerMember = 1 << 30
    /// Bytes of all members once decompressed.
    public var totalBytes = 2 << 30

    public init() {}
}
