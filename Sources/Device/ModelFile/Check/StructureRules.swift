extension LoadingCheck {
    /// R7: there is something to run.
    func requireSubgraph() throws(ModelFileError) {
        guard !graph.subgraphs.isEmpty else { throw Self.damaged("it has no subgraph") }
    }

    /// Every tensor number lies in its subgraph's list. The other rules rely on it, so it runs before them.
    func requireValidIndices() throws(ModelFileError) {
        for (number, subgraph) in graph.subgraphs.enumerated() {
            let valid = subgraph.tensors.indices
            guard subgraph.inputs.allSatisfy(valid.contains), subgraph.outputs.allSatisfy(valid.contains) else {
                throw Self.damaged("subgraph \(number) has an input or output that is no tensor of it")
            }
        }
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            let valid = graph.subgraphs[subgraph].tensors.indices
            guard node.inputs.allSatisfy({ $0 == -1 || valid.contains($0) }),
                node.outputs.allSatisfy(valid.contains),
                node.intermediates.allSatisfy({ $0 == -1 || valid.contains($0) })
            else {
                throw Self.damaged(
                    "\(graph.text(operator: number, in: subgraph)) uses a tensor that does not exist")
            }
        }
    }

    /// R4: what an operator reads is an input, a constant or the result of an earlier operator; each result has one
    /// origin; every output of the subgraph is produced. Engines run the operators in file order and do not check.
    func requireProducedTensors() throws(ModelFileError) {
        for (number, subgraph) in graph.subgraphs.enumerated() {
            var isReady = subgraph.tensors.map(\.hasOwnValue)
            for input in subgraph.inputs { isReady[input] = true }
            for (operatorNumber, node) in subgraph.operators.enumerated() {
                if let missing = node.inputs.first(where: {
                    $0 != -1 && !isReady[$0] && !subgraph.tensors[$0].isEmptyConstant
                }) {
                    throw Self.damaged(
                        "\(graph.text(operator: operatorNumber, in: number)) reads "
                            + "\(graph.text(tensor: missing, in: number)) before anything produces it")
                }
                for output in node.outputs {
                    guard !isReady[output] else {
                        throw Self.damaged(
                            "\(graph.text(operator: operatorNumber, in: number)) overwrites "
                                + graph.text(tensor: output, in: number))
                    }
                    isReady[output] = true
                }
            }
            if let missing = subgraph.outputs.first(where: { !isReady[$0] && !subgraph.tensors[$0].isEmptyConstant }) {
                throw Self.damaged("nothing produces the output \(graph.text(tensor: missing, in: number))")
            }
        }
    }
}

extension ModelGraph.Tensor {
    /// Whether it has a value before any operator runs.
    fileprivate var hasOwnValue: Bool { isVariable || externalBuffer != 0 || data?.isEmpty == false }

    /// Whether it can be a constant of no elements. (Exporters give results empty buffers too.)
    fileprivate var isEmptyConstant: Bool { buffer != 0 && shape.contains(0) }
}
