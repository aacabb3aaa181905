/// What a model may ask for. Each limit is inclusive.
public struct ModelLimits: Sendable, Equatable {
    /// Sum of the declared sizes of all tensors, in bytes; unknown dimensions count as 1. An engine shares memory
    /// between tensors that do not live at the same time, so it needs less.
    public var totalTensorBytes = 2 << 30
    /// How deep loops and branches may lie in each other.
    public var controlFlowDepth = 32
    /// How many subgraphs the main one runs in all, each counted once for every operator that calls it.
    public var controlFlowCalls = 1024

    public init() {}
}
