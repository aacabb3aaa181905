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

/// A model's signatures, tensors and operators as text.
enum ListingText {
    static func lines(_ listing: GraphListing) -> [String] {
        var lines = listing.signatures.flatMap(signature)
        for (number, subgraph) in (listing.subgraphs ?? []).enumerated() {
            if let tensors = subgraph.tensors {
                lines += ["", title("Tensors", number, subgraph), table(tensors).description]
            }
            if let operators = subgraph.operators {
                lines += ["", title("Operators", number, subgraph), table(operators).description]
            }
        }
        return lines
    }

    private static func signature(_ signature: GraphListing.Signature) -> [String] {
        ["signature:  \(signature.key.printable)"]
            + signature.inputs.map { "  input:    \(text($0))" } + signature.outputs.map { "  output:   \(text($0))" }
    }

    private static func text(_ tensor: GraphListing.Tensor) -> String {
        let quantization = text(tensor.quantization)
        return "\(tensor.name.printable) \(tensor.type) \(tensor.shape)"
            + (quantization.isEmpty ? "" : " \(quantization)")
    }

    private static func title(_ kind: String, _ number: Int, _ subgraph: GraphListing.Subgraph) -> String {
        let name = subgraph.name.flatMap { $0.isEmpty ? nil : " '\($0.printable)'" } ?? ""
        return "\(kind) of subgraph \(number)\(name):"
    }

    private static func table(_ tensors: [GraphListing.Tensor]) -> TextTable {
        var table = TextTable([.number("TENSOR"), "NAME", "TYPE", "SHAPE", .number("CONSTANT"), "QUANTIZATION"])
        for tensor in tensors {
            let size = tensor.constantBytes.map { ByteCount.text(UInt64($0)) } ?? (tensor.isVariable ? "variable" : "")
            table.append([
                String(tensor.index), tensor.name, tensor.type, "\(tensor.shape)", size, text(tensor.quantization),
            ])
        }
        return table
    }

    private static func text(_ quantization: GraphListing.Quantization?) -> String {
        guard let quantization else { return "" }
        guard let dimension = quantization.dimension else {
            return "scale \(number(quantization.scales.first)) zero point \(quantization.zeroPoints.first ?? 0)"
        }
        let scales = quantization.scales.compactMap { $0 }
        let zeroPoints = Set(quantization.zeroPoints)
        let zeroPoint = zeroPoints.count > 1 ? "of their own" : String(zeroPoints.first ?? 0)
        return "\(quantization.scales.count) scales along dimension \(dimension), \(number(scales.min())) to "
            + "\(number(scales.max())), zero point \(zeroPoint)"
    }

    private static func number(_ value: Float??) -> String { value.flatMap { $0 }.map { "\($0)" } ?? "no number" }

    private static func table(_ operators: [GraphListing.Operator]) -> TextTable {
        var table = TextTable([.number("NODE"), "OPERATOR", .number("VERSION"), "INPUTS", "OUTPUTS"])
        for (node, row) in operators.enumerated() {
            table.append([
                String(node), name(row), String(row.version), indices(row.inputs), indices(row.outputs),
            ])
        }
        return table
    }

    /// Also names the subgraphs that the operator runs.
    private static func name(_ row: GraphListing.Operator) -> String {
        let called = row.calledSubgraphs.map(String.init).joined(separator: ", ")
        return called.isEmpty ? row.name : "\(row.name) (runs subgraph \(called))"
    }

    /// Numbers of tensors; a dash for an omitted one.
    private static func indices(_ list: [Int]) -> String {
        list.map { $0 < 0 ? "-" : String($0) }.joined(separator: " ")
    }
}
