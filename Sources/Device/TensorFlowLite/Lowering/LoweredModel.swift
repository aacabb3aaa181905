import HearthModelFile

/// A model in a form that the engine accepts, with the differences that a session must know. Callers see the original
/// model.
///
/// LiteRT's C interface refuses three kinds of models that TensorFlow Lite itself runs, and runs some others wrong. A
/// rewrite of the graph at load (`ModelRewrite`) lowers each of them:
/// - Operators that keep state in variable tensors are replaced by custom operators (``StateLowering``).
/// - Outputs whose size depends on data cannot be bound to a buffer. A custom operator receives each output of such a
///   subgraph (``OutputLowering``).
/// - A main subgraph without a signature cannot be named. It gets one.
/// - A signature may name tensors behind a conversion at an end of the graph. It names the inputs and outputs then.
/// - A few operators would get wrong shapes (``ShapeLowering``).
/// - A few operators would read scales that are not there (``ScaleLowering``).
///
/// Any other model stays unchanged.
struct LoweredModel {
    let file: ModelFile
    /// By subgraph.
    let recurrentKernels: [Int: [RecurrentCustomKernel]]
    /// The operators that receive an output instead of the engine: by subgraph, then by index in the list of outputs.
    let sinks: [Int: [Int: OutputSink]]

    var kernels: [CustomKernel] { recurrentKernels.values.flatMap(\.self) + sinks.values.flatMap(\.values) }

    /// - Parameter sizes: The engine's table, except in tests.
    /// - Throws: `unsupported` with the operator's name and kind, where neither the engine nor Hearth can run it.
    init(_ original: ModelFile, sizes: OutputSizes = .engine) throws(ModelFileError) {
        var rewrite = ModelRewrite(original)
        // First, because the other changes adjust signatures.
        let signatures =
            Self.addingMainSignature(original.graph)
            ?? (original.graph.hasCorrectedSignatures ? original.graph.signatures : nil)
        if let signatures { rewrite.setSignatures(signatures) }
        recurrentKernels = try StateLowering.apply(to: &rewrite, of: original)
        let hasOtherShapes = ShapeLowering.apply(to: &rewrite, of: original.graph, sizes)
        let hasRepeatedScales = ScaleLowering.apply(to: &rewrite, of: original.graph)
        sinks = try OutputLowering.apply(to: &rewrite, of: original.graph, sizes)
        let hasVariables = original.graph.subgraphs.contains { $0.tensors.contains(where: \.isVariable) }
        guard
            signatures != nil || hasOtherShapes || hasRepeatedScales || !sinks.isEmpty || hasVariables
                || !recurrentKernels.isEmpty
        else {
            file = original
            return
        }
        file = try rewrite.modelFile()
        // The rewritten file is checked like any other.
        try file.checkForLoading()
    }

    /// The model's signatures and one for the main subgraph; nil if none is missing.
    private static func addingMainSignature(_ graph: ModelGraph) -> [ModelGraph.Signature]? {
        guard !graph.signatures.isEmpty, !graph.signatures.contains(where: { $0.subgraph == 0 }) else { return nil }
        func named(_ tensors: [Int]) -> [ModelGraph.NamedTensor] {
            tensors.enumerated().map { ModelGraph.NamedTensor(name: "\($0)", tensor: $1) }
        }
        let main = graph.subgraphs[0]
        let taken = Set(graph.signatures.map(\.key))
        let key = (0...taken.count).lazy.map { "main \($0)" }.first { !taken.contains($0) } ?? ""
        return graph.signatures + [
            ModelGraph.Signature(key: key, subgraph: 0, inputs: named(main.inputs), outputs: named(main.outputs))
        ]
    }
}
