import HearthModelFile

/// A model in a form that the engine takes, and what a session must know of the difference. Callers see the original.
///
/// LiteRT's C interface refuses three kinds of models that TensorFlow Lite itself runs, each lowered by a rewrite of the
/// graph at load (`ModelRewrite`):
/// - Operators that keep state in variable tensors are replaced by custom operators (``StateLowering``).
/// - Outputs sized by data cannot be bound. A custom operator takes each of them (``OutputLowering``).
/// - A main subgraph for which no signature stands cannot be named. It gets one.
///
/// A model that needs none of this is handed on as it is.
struct LoweredModel {
    let file: ModelFile
    /// By subgraph.
    let recurrentKernels: [Int: [RecurrentCustomKernel]]
    /// Who takes an output in the engine's place: by place in the list of outputs, by subgraph.
    let sinks: [Int: [Int: OutputSink]]

    var kernels: [CustomKernel] { recurrentKernels.values.flatMap(\.self) + sinks.values.flatMap(\.values) }

    /// - Throws: `unsupported` naming the operator and its kind for what neither the engine nor we can do.
    init(_ original: ModelFile) throws(ModelFileError) {
        var rewrite = ModelRewrite(original)
        // First, because the other changes adjust signatures.
        let signatures = Self.addingMainSignature(original.graph)
        if let signatures { rewrite.setSignatures(signatures) }
        recurrentKernels = try StateLowering.apply(to: &rewrite, of: original)
        sinks = try OutputLowering.apply(to: &rewrite, of: original.graph)
        let hasVariables = original.graph.subgraphs.contains { $0.tensors.contains(where: \.isVariable) }
        guard signatures != nil || !sinks.isEmpty || hasVariables || !recurrentKernels.isEmpty else {
            file = original
            return
        }
        file = try rewrite.modelFile()
        // Our own work is checked like anybody's.
        try file.checkForLoading()
    }

    /// The model's signatures and one for the main subgraph; nil where there is no need.
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
