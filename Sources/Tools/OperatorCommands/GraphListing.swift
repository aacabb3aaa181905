import HearthArguments
import HearthLocalCommands
import HearthModelFile
import HearthWire

/// The signatures, tensors and operators of a model file. Invalid indices, which no engine accepts, are left out.
struct GraphListing {
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
        /// Nil unless requested.
        var tensors: [Tensor]?
        /// Nil unless requested. In the order of the file, which is the order of running.
        var operators: [Operator]?
    }

    struct Tensor: Encodable {
        /// The index in the subgraph.
        var index: Int
        var name: String
        var type: String
        /// -1 for an open dimension.
        var shape: [Int]
        var quantization: Quantization?
        /// The size of the constant; nil for tensors that are computed.
        var constantBytes: Int?
        /// Whether the tensor keeps its value from one run to the next.
        var isVariable: Bool
    }

    /// real value = scale x (stored value - zero point)
    struct Quantization: Encodable {
        /// One for the whole tensor, or one for each index of `dimension`. Nil for values that are not numbers.
        var scales: [Float?]
        var zeroPoints: [Int64]
        /// Nil if the tensor is quantized as a whole.
        var dimension: Int?
    }

    struct Operator: Encodable {
        var name: String
        var version: Int
        /// Indices of tensors; -1 for an omitted optional input.
        var inputs: [Int]
        var outputs: [Int]
        /// Indices of the subgraphs that it runs.
        var calledSubgraphs: [Int]
    }

    let signatures: [Signature]
    /// Nil if neither tensors nor operators were requested.
    let subgraphs: [Subgraph]?
}

extension GraphListing {
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

    /// The tensors with the names in a signature.
    private static func tensors(_ named: [ModelGraph.NamedTensor], in subgraph: ModelGraph.Subgraph?) -> [Tensor] {
        named.compactMap { entry in
            guard let subgraph, subgraph.tensors.indices.contains(entry.tensor) else { return nil }
            var tensor = Tensor(subgraph.tensors[entry.tensor], index: entry.tensor)
            tensor.name = entry.name
            return tensor
        }
    }
}

extension GraphListing.Tensor {
    init(_ tensor: ModelGraph.Tensor, index: Int) {
        self.init(
            index: index, name: tensor.name ?? "", type: tensor.type.description,
            shape: tensor.shapeSignature ?? tensor.shape,
            quantization: tensor.quantization.flatMap(GraphListing.Quantization.init),
            constantBytes: tensor.data?.count, isVariable: tensor.isVariable)
    }
}

extension GraphListing.Quantization {
    /// Nil without scales: converters write such records for tensors that are not quantized.
    init?(_ quantization: ModelGraph.Quantization) {
        guard !quantization.scales.isEmpty else { return nil }
        scales = quantization.scales.map { $0.isFinite ? $0 : nil }
        zeroPoints = quantization.zeroPoints
        dimension = quantization.scales.count > 1 ? quantization.dimension : nil
    }
}

extension GraphListing.Operator {
    init(_ node: ModelGraph.Operator) {
        self.init(
            name: node.name, version: node.version, inputs: node.inputs, outputs: node.outputs,
            calledSubgraphs: node.calledSubgraphs)
    }
}
