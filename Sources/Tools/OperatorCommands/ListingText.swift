import HearthArguments
import HearthLocalCommands
import HearthModelFile
import HearthWire

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
