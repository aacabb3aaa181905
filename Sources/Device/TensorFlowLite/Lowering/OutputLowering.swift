import HearthModelFile

/// Finds outputs whose size the engine does not know before a run, and connects each of them to an ``OutputSink``.
enum OutputLowering {
    /// - Returns: The sinks by subgraph, then by index in the list of outputs.
    static func apply(
        to rewrite: inout ModelRewrite, of graph: ModelGraph, _ sizes: OutputSizes
    ) throws(ModelFileError) -> [Int: [Int: OutputSink]] {
        var sinks: [Int: [Int: OutputSink]] = [:]
        let called = graph.calledSubgraphs
        for number in Set([0] + graph.signatures.map(\.subgraph)).sorted() {
            let subgraph = graph.subgraphs[number]
            let shapes = DataDependentShapes(subgraph, sizes)
            guard shapes.areAny else { continue }
            let computed = Set(subgraph.operators.flatMap(\.outputs))
            for (place, output) in subgraph.outputs.enumerated() where computed.contains(output) {
                let tensor = subgraph.tensors[output]
                // The engine returns strings without a sink.
                guard tensor.type != .string else { continue }
                // Tensors that a loop passes on must keep their shape, and eight dimensions are the most.
                guard let dataType = Tensor.DataType(tensor.type), dataType.bitWidth.map({ $0 >= 8 }) == true,
                    !called.contains(number), tensor.shape.count < TensorBuffer.maximumRank
                else {
                    // Its size is only not sure, and an `OutputShapeCheck` watches over it.
                    guard let name = shapes.operatorName(forTensor: output) else { continue }
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
    /// Subgraphs that operators run, such as the bodies of loops and branches.
    var calledSubgraphs: Set<Int> {
        Set(subgraphs.flatMap(\.operators).flatMap(\.calledSubgraphs))
    }

    /// The numbers of all subgraphs that a run of this one may run, each once; this one is the first.
    func subgraphs(runBy number: Int) -> [Int] {
        var found = [number]
        var known = Set(found)
        var next = 0
        while next < found.count {
            let called = subgraphs[found[next]].operators.flatMap(\.calledSubgraphs)
            found += called.filter { subgraphs.indices.contains($0) && known.insert($0).inserted }
            next += 1
        }
        return found
    }
}
