import HearthModelFile

/// What a model file says about its signatures, tensors and operators, one by one. Indices that point nowhere, as a
/// file may have them that no engine accepts, are left out.
struct ModelListing {
    struct Signature: Encodable {
        var key: String
        var subgraph: Int
        var inputs: [Tensor]
        var outputs: [Tensor]
    }

    struct Subgraph: Encodable {
        var name: String?
        /// Indices of tensors.
        var inputs: [Int]
        var outputs: [Int]
        /// Nil unless asked for.
        var tensors: [Tensor]?
        /// Nil unless asked for; in the order of the file, which is the order of running.
        var operators: [Operator]?
    }

    struct Tensor: Encodable {
        /// Its place in the subgraph.
        var index: Int
        var name: String
        var type: String
        /// -1 where a dimension is open.
        var shape: [Int]
        var quantization: Quantization?
        /// Size of the constant that it holds; nil for tensors that are computed.
        var constantBytes: Int?
        /// Whether it keeps its value from one run to the next.
        var isVariable: Bool
    }

    /// real value = scale x (stored value - zero point)
    struct Quantization: Encodable {
        /// One for the whole tensor, or one for each index of `dimension`. Nil for those that are no number.
        var scales: [Float?]
        var zeroPoints: [Int64]
        /// Nil when the tensor is quantized as a whole.
        var dimension: Int?
    }

    struct Operator: Encodable {
        var name: String
        var version: Int
        /// Indices of tensors; -1 for an optional input that is left out.
        var inputs: [Int]
        var outputs: [Int]
        /// Indices of the subgraphs that it runs.
        var calledSubgraphs: [Int]
    }

    let signatures: [Signature]
    /// Nil when neither tensors nor operators were asked for.
    let subgraphs: [Subgraph]?
}

extension ModelListing {
    init(_ graph: ModelGraph, includesTensors: Bool, includesOperators: Bool) {
        signatures = graph.signatures.map { signature in
            let subgraph =
                graph.subgraphs.indices.contains(signature.subgraph) ? graph.subgraphs[signature.subgraph] : nil
            return Signature(
                key: signature.key, subgraph: signature.subgraph,
                inputs: Self.tensors(signature.inputs, in: subgraph),
                outputs: Self.tensors(signature.outputs, in: subgraph))
        }
        guard includesTensors || includesOperators else {
            subgraphs = nil
            return
        }
        subgraphs = graph.subgraphs.map { subgraph in
            Subgraph(
                name: subgraph.name, inputs: subgraph.inputs, outputs: subgraph.outputs,
                tensors: includesTensors ? subgraph.tensors.enumerated().map { Tensor($1, index: $0) } : nil,
                operators: includesOperators ? subgraph.operators.map(Operator.init) : nil)
        }
    }

    /// The tensors under the names that a signature gives them.
    private static func tensors(_ named: [ModelGraph.NamedTensor], in subgraph: ModelGraph.Subgraph?) -> [Tensor] {
        named.compactMap { entry in
            guard let subgraph, subgraph.tensors.indices.contains(entry.tensor) else { return nil }
            var tensor = Tensor(subgraph.tensors[entry.tensor], index: entry.tensor)
            tensor.name = entry.name
            return tensor
        }
    }
}

extension ModelListing.Tensor {
    init(_ tensor: ModelGraph.Tensor, index: Int) {
        self.init(
            index: index, name: tensor.name ?? "", type: tensor.type.description,
            shape: tensor.shapeSignature ?? tensor.shape,
            quantization: tensor.quantization.flatMap(ModelListing.Quantization.init),
            constantBytes: tensor.data?.count, isVariable: tensor.isVariable)
    }
}

extension ModelListing.Quantization {
    /// Nil without scales: converters leave such records on tensors that are not quantized.
    init?(_ quantization: ModelGraph.Quantization) {
        guard !quantization.scales.isEmpty else { return nil }
        scales = quantization.scales.map { $0.isFinite ? $0 : nil }
        zeroPoints = quantization.zeroPoints
        dimension = quantization.scales.count > 1 ? quantization.dimension : nil
    }
}

extension ModelListing.Operator {
    init(_ node: ModelGraph.Operator) {
        self.init(
            name: node.name, version: node.version, inputs: node.inputs, outputs: node.outputs,
            calledSubgraphs: node.calledSubgraphs)
    }
}
