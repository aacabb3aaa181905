import HearthModelFile

/// Finds outputs sized by data and leads each of them to an ``OutputSink``.
enum OutputCure {
    /// - Returns: The sinks, by place in the list of outputs, by subgraph.
    static func apply(
        to rewrite: inout ModelRewrite, of graph: ModelGraph
    ) throws(ModelFileError) -> [Int: [Int: OutputSink]] {
        var sinks: [Int: [Int: OutputSink]] = [:]
        let called = graph.calledSubgraphs
        for number in Set([0] + graph.signatures.map(\.subgraph)).sorted() {
            let subgraph = graph.subgraphs[number]
            let sizing = SizingOperators(subgraph)
            for (place, output) in subgraph.outputs.enumerated() {
                let tensor = subgraph.tensors[output]
                // Strings the engine hands out by itself.
                guard let name = sizing.operatorName(forTensor: output), tensor.type != .string else { continue }
                // What a loop hands around must keep its shape; and eight dimensions are the most.
                guard let dataType = Tensor.DataType(tensor.type), dataType.bitWidth.map({ $0 >= 8 }) == true,
                    !called.contains(number), tensor.shape.count < TensorBuffer.maximumRank
                else {
                    throw ModelFileError(
                        .unsupported,
                        "this engine cannot run the model: the size of \(graph.text(tensor: output, in: number)) "
                            + "depends on the data (operator \(name)); give it a fixed size in the model")
                }
                let code = "HearthOutput\(number)_\(place)"
                rewrite.divertOutput(place, ofSubgraph: number, toCustom: code)
                sinks[number, default: [:]][place] = OutputSink(name: code, dataType)
            }
        }
        return sinks
    }
}

extension ModelGraph {
    /// Subgraphs that operators run, such as loops and branches do.
    var calledSubgraphs: Set<Int> {
        Set(subgraphs.flatMap(\.operators).flatMap(\.calledSubgraphs))
    }
}
