/// How large the parts of a bundle may be. Each limit is inclusive.
public struct BundleLimits: Sendable, Equatable {
    /// Bytes of the model, and of a zip that contains it.
    public var modelBytes = ModelBytes.largestModel
    public var zip = ZipLimits()

    public init() {}
}
