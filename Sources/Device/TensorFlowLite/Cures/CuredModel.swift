import HearthKernels
import HearthModelFile

/// A model in a form that the engine takes, and what a session must know of the difference. Callers see the original.
///
/// LiteRT's C interface refuses three kinds of models that TensorFlow Lite itself runs, each cured by a rewrite of the
/// graph at load (`ModelRewrite`):
/// - Operators that keep state in variable tensors are replaced by custom operators, ``RecurrentKernel``.
/// - Outputs sized by data cannot be bound. A custom operator, ``OutputSink``, takes each of them.
/// - A main subgraph for which no signature stands cannot be named. It gets one.
///
/// A model that needs none of this is handed on as it is.
struct CuredModel {
    let file: ModelFile
    private(set) var recurrentKernels: [RecurrentKernel] = []
    /// Who takes an output in the engine's place: by place in the list of outputs, by subgraph.
    private(set) var sinks: [Int: [Int: OutputSink]] = [:]

    var kernels: [CustomKernel] { recurrentKernels + sinks.values.flatMap(\.values) }

    /// - Throws: `unsupported` naming the operator and its kind for state that neither the engine nor we can keep.
    init(_ original: ModelFile) throws(ModelFileError) {
        let graph = original.graph
        var rewrite = ModelRewrite(original)
        var isChanged = false
        if let signatures = Self.signaturesWithMain(graph) {
            rewrite.setSignatures(signatures)
            isChanged = true
        }
        for (number, subgraph) in graph.subgraphs.enumerated() {
            for (place, node) in subgraph.operators.enumerated() where subgraph.keepsState(node) {
                let name = "HearthState\(number)_\(place)"
                let recurrent = try RecurrentOperator(original, subgraph: number, operator: place)
                rewrite.replaceOperator(
                    place, inSubgraph: number, withCustom: name, inputs: [recurrent.activationInput])
                recurrentKernels.append(RecurrentKernel(name: name, recurrent))
                isChanged = true
            }
            for (place, tensor) in subgraph.tensors.enumerated() where tensor.isVariable {
                rewrite.clearVariable(tensor: place, inSubgraph: number)
                isChanged = true
            }
        }
        let called = Set(graph.subgraphs.flatMap(\.operators).flatMap(\.calledSubgraphs))
        for number in Set([0] + graph.signatures.map(\.subgraph)).sorted() {
            let subgraph = graph.subgraphs[number]
            let sizing = SizingOperators(subgraph)
            for (place, tensor) in subgraph.outputs.enumerated() {
                guard let name = sizing.operatorName(forTensor: tensor), subgraph.tensors[tensor].type != .string
                else { continue }
                // What a loop hands around must keep its shape; and eight dimensions are the most.
                guard let dataType = Tensor.DataType(subgraph.tensors[tensor].type), !called.contains(number),
                    subgraph.tensors[tensor].shape.count < 8
                else {
                    throw ModelFileError(
                        .unsupported,
                        "this engine cannot run the model: the size of \(graph.text(tensor: tensor, in: number)) depends "
                            + "on the data (operator \(name)); give it a fixed size in the model")
                }
                let code = "HearthOutput\(number)_\(place)"
                rewrite.divertOutput(place, ofSubgraph: number, toCustom: code)
                sinks[number, default: [:]][place] = OutputSink(name: code, dataType)
                isChanged = true
            }
        }
        file = isChanged ? try rewrite.modelFile() : original
    }

    /// The model's signatures and one for the main subgraph; nil where there is no need.
    private static func signaturesWithMain(_ graph: ModelGraph) -> [ModelGraph.Signature]? {
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

extension ModelGraph.Subgraph {
    /// A variable that is also an input of the subgraph comes from the caller each time; nothing is kept in it.
    fileprivate func keepsState(_ node: ModelGraph.Operator) -> Bool {
        node.mutatesInputs || !node.intermediates.isEmpty
            || node.inputs.contains { $0 != -1 && tensors[$0].isVariable && !inputs.contains($0) }
    }
}
