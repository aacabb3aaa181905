/// What one request may ask of the service.
public struct ServiceLimits: Sendable, Hashable {
    /// The largest model file.
    public var uploadBytes: UInt64 = 1 << 30
    /// The largest JSON or form body, also after decompression.
    public var requestBodyBytes = 1 << 20
    /// How long a link to bytes is good for.
    public var linkSeconds: Int64 = 3600
    /// Models on one page of a list.
    public var pageSize = 100
    /// How long a call waits for the check of a file before it answers with an operation that goes on.
    public var validationWaitSeconds = 25.0

    public init() {}
}
