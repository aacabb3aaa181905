/// What a model may ask for. Each limit is inclusive.
public struct ModelLimits: Sendable, Equatable {
    /// Sum of the declared sizes of all tensors, in bytes; unknown dimensions count as 1.
    public var totalTensorBytes = 4 << 30
    /// Dimensions of one tensor; the engine holds no more than 8.
    public var rank = 8

    public init() {}
}
