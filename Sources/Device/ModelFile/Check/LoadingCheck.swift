/// Checks a file before it is passed to the engine, because the engine aborts the process on some files that its own
/// verifier accepts. Rules R1 to R22 were found by mutating models, and by reading kernels; each is in a function of its own.
///
/// It looks for damage first: a file that is both damaged and unsupported is reported as damaged.
struct LoadingCheck {
    let graph: ModelGraph
    let limits: ModelLimits
    /// The file, to read the values of constants.
    let bytes: ModelBytes

    func run() throws(ModelFileError) {
        try requireSubgraph()
        try requireValidIndices()
        try requireSignaturesCoverTheirSubgraphs()
        try requireDistinctNames()
        try requireValidShapes()
        try requireValidQuantization()
        try requireProducedTensors()
        try requireSplitCounts()
        try requireResourceHandles()
        try requirePoolingWindows()
        try requireScalesForArithmetic()
        try requireScalesForElementWise()
        try requireRepresentableSums()
        try requireFiniteControlFlow()
        try requireConstantSizes()
        try requireTotalSize()
        try requireSupportedTensors()
        try requireSupportedOperators()
        try requireNoBlockwiseElementWise()
        try requireOperandsMatchTable()
        try requireSmallScalesForComparisons()
        try requireMatchingSubgraphTypes()
        try requireConsistentShapes()
        try requireConsistentSlices()
        try requireValidSparsity()
        try requireDenseOperands()
        try requireReadableCustomOptions()
        try requireScalesOfChannels()
        try requireScalesOfBlocks()
        try requireScalesOfConstants()
    }

    static func damaged(_ what: String) -> ModelFileError {
        ModelFileError(.malformed, "the model is damaged: \(what)")
    }

    static func unsupported(_ what: String) -> ModelFileError {
        ModelFileError(.unsupported, "this engine cannot run the model: \(what)")
    }

    /// Calls `body` with the number of each subgraph, the number of each of its operators, and the operator.
    func forEachOperator(
        _ body: (_ subgraph: Int, _ number: Int, _ node: ModelGraph.Operator) throws(ModelFileError) -> Void
    ) throws(ModelFileError) {
        for subgraph in graph.subgraphs.indices {
            for (number, node) in graph.subgraphs[subgraph].operators.enumerated() {
                try body(subgraph, number, node)
            }
        }
    }

    /// Calls `body` with the number of each subgraph, the number of each of its tensors, and the tensor.
    func forEachTensor(
        _ body: (_ subgraph: Int, _ number: Int, _ tensor: ModelGraph.Tensor) throws(ModelFileError) -> Void
    ) throws(ModelFileError) {
        for subgraph in graph.subgraphs.indices {
            for (number, tensor) in graph.subgraphs[subgraph].tensors.enumerated() {
                try body(subgraph, number, tensor)
            }
        }
    }
}

/// The most that a model may need. Each limit is inclusive.
public struct ModelLimits: Sendable, Equatable {
    /// The sum of the declared sizes of all tensors, in bytes; dynamic dimensions count as 1. An engine needs less,
    /// because it shares memory between tensors that are not in use at the same time.
    public var totalTensorBytes = 2 << 30
    /// How deep loops and branches may be nested.
    public var controlFlowDepth = 32
    /// How many subgraphs the main subgraph runs in total, each counted once for every operator that calls it.
    public var controlFlowCalls = 1024

    /// Creates limits with the defaults.
    public init() {}
}
