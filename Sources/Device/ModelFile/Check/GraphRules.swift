extension LoadingCheck {
    /// R7: the model has a subgraph to run.
    func requireSubgraph() throws(ModelFileError) {
        guard !graph.subgraphs.isEmpty else { throw Self.damaged("it has no subgraph") }
    }

    /// Every tensor number is valid in its subgraph's list. The other rules rely on this, so it runs before them.
    func requireValidIndices() throws(ModelFileError) {
        for (number, subgraph) in graph.subgraphs.enumerated() {
            let valid = subgraph.tensors.indices
            guard subgraph.inputs.allSatisfy(valid.contains), subgraph.outputs.allSatisfy(valid.contains) else {
                throw Self.damaged("subgraph \(number) has an input or output that is not one of its tensors")
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

    /// R4: each operator reads an input, a constant or the result of an earlier operator; each result has one origin;
    /// every output of the subgraph is produced. Engines run the operators in file order and do not check this.
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
    /// Whether the tensor has a value before any operator runs.
    fileprivate var hasOwnValue: Bool { isVariable || externalBuffer != 0 || data?.isEmpty == false }

    /// Whether the tensor can be a constant without elements. (Exporters also use empty buffers for results.)
    fileprivate var isEmptyConstant: Bool { buffer != 0 && shape.contains(0) }
}

extension LoadingCheck {
    /// R1: a signature's names are unique, and its tensors are exactly its subgraph's inputs and outputs. (The parser
    /// checks that the key and the names exist.)
    func requireSignaturesCoverTheirSubgraphs() throws(ModelFileError) {
        for signature in graph.signatures {
            let name = "signature \(signature.key.quoted)"
            guard graph.subgraphs.indices.contains(signature.subgraph) else {
                throw Self.damaged("\(name) runs a subgraph that does not exist")
            }
            let subgraph = graph.subgraphs[signature.subgraph]
            try requireCover(signature.inputs, of: subgraph.inputs, name, "inputs")
            try requireCover(signature.outputs, of: subgraph.outputs, name, "outputs")
        }
    }

    private func requireCover(
        _ named: [ModelGraph.NamedTensor], of tensors: [Int], _ signature: String, _ kind: String
    ) throws(ModelFileError) {
        if let twice = Self.firstRepeated(named.map(\.name)) {
            throw Self.damaged("\(signature) has two \(kind) with the name \(twice.quoted)")
        }
        guard named.map(\.tensor).sorted() == tensors.sorted() else {
            throw Self.damaged("the \(kind) of \(signature) differ from those of its subgraph")
        }
    }

    /// R2: without signatures, the engine creates one from the tensors' names, which then must be unique.
    func requireDistinctNames() throws(ModelFileError) {
        guard graph.signatures.isEmpty else { return }
        let main = graph.subgraphs[0]
        for (kind, tensors) in [("inputs", main.inputs), ("outputs", main.outputs)] {
            let names = tensors.compactMap { main.tensors[$0].name }.filter { !$0.isEmpty }
            if let twice = Self.firstRepeated(names) {
                throw Self.damaged("two of its \(kind) have the name \(twice.quoted)")
            }
        }
    }

    /// The first name that an engine would see twice. Engines read names as C strings, up to the first NUL.
    private static func firstRepeated(_ names: [String]) -> String? {
        var seen: Set<Substring> = []
        return names.first { name in
            !seen.insert(name.prefix { $0 != "\0" }).inserted
        }
    }
}

extension LoadingCheck {
    /// Dimensions are counts, or -1 where they are dynamic. The shape signature has the same rank as the shape.
    func requireValidShapes() throws(ModelFileError) {
        try forEachTensor { subgraph, number, tensor throws(ModelFileError) in
            var name: String { graph.text(tensor: number, in: subgraph) }
            let signature = tensor.shapeSignature ?? []
            guard (tensor.shape + signature).allSatisfy({ $0 >= -1 }) else {
                throw Self.damaged("\(name) has a negative dimension")
            }
            guard signature.isEmpty || signature.count == tensor.shape.count else {
                throw Self.damaged("\(name) has two shapes of different rank")
            }
        }
    }

    /// R19: constants have as many bytes as their shapes need, because some kernels copy all bytes of an input into memory
    /// for its shape. The engine itself refuses constants that are shorter.
    func requireConstantSizes() throws(ModelFileError) {
        try forEachTensor { subgraph, number, tensor throws(ModelFileError) in
            guard let data = tensor.data, !data.isEmpty, tensor.sparsity == nil, tensor.type.bitWidth > 0,
                let size = tensor.declaredByteCount, data.count > size
            else { return }
            throw Self.damaged(
                "\(graph.text(tensor: number, in: subgraph)) has \(data.count) bytes, but its shape needs \(size)")
        }
    }

    /// The sum of the declared sizes is within the limit, because an engine allocates the declared sizes.
    func requireTotalSize() throws(ModelFileError) {
        var rest = limits.totalTensorBytes
        try forEachTensor { subgraph, number, tensor throws(ModelFileError) in
            guard let size = tensor.declaredByteCount, size <= rest else {
                throw ModelFileError(
                    .tooLarge,
                    "the model's tensors together need more than \(limits.totalTensorBytes) bytes; the first one beyond that is "
                        + graph.text(tensor: number, in: subgraph))
            }
            rest -= size
        }
    }
}

extension ModelGraph.Tensor {
    /// The number of bytes for the shape and type, with dynamic dimensions counted as 1; nil when it does not fit into
    /// an integer.
    var declaredByteCount: Int? {
        var bits = type.bitWidth
        for dimension in shape {
            let (product, overflows) = bits.multipliedReportingOverflow(by: max(dimension, dimension == -1 ? 1 : 0))
            guard !overflows else { return nil }
            bits = product
        }
        return bits / 8 + (bits.isMultiple(of: 8) ? 0 : 1)
    }
}

extension LoadingCheck {
    /// The engine's layouts hold 8 dimensions.
    static let maximumRank = 8

    /// Reports in words what the engine refuses at load with only a number: ranks above 8, unknown element types,
    /// constants in other files.
    func requireSupportedTensors() throws(ModelFileError) {
        try forEachTensor { subgraph, number, tensor throws(ModelFileError) in
            var name: String { graph.text(tensor: number, in: subgraph) }
            guard tensor.shape.count <= Self.maximumRank else {
                throw Self.unsupported("\(name) has \(tensor.shape.count) dimensions; at most 8 are supported")
            }
            guard tensor.type.isKnown else { throw Self.unsupported("\(name) has the unknown \(tensor.type)") }
            guard tensor.externalBuffer == 0 else { throw Self.unsupported("\(name) is stored in another file") }
        }
    }

    /// Rejects operators that are newer than the engine.
    func requireSupportedOperators() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard BuiltinOperator.name(node.builtinCode) != nil else {
                throw Self.unsupported("\(graph.text(operator: number, in: subgraph)) is newer than this engine")
            }
        }
    }
}
