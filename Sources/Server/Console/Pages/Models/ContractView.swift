import HearthWire

/// What a model takes and gives.
struct ContractView {
    private let contract: ModelContract

    init(_ contract: ModelContract) { self.contract = contract }

    var markup: Markup {
        section {
            h2 { "Contract" }
            tensors("Inputs", contract.inputs)
            tensors("Outputs", contract.outputs)
            dl(.class("facts")) {
                VersionPages.fact("Labels", .text(contract.labelCount.map(NumberText.count) ?? "none in the file"))
                if !contract.signatures.isEmpty {
                    VersionPages.fact("Signatures", .text(contract.signatures.joined(separator: ", ")))
                }
                if let title = contract.title { VersionPages.fact("Title", .text(title)) }
                if let summary = contract.summary { VersionPages.fact("Description", .text(summary)) }
                if let author = contract.author { VersionPages.fact("Author", .text(author)) }
                if let license = contract.license { VersionPages.fact("License", .text(license)) }
            }
            details {
                summary { "Operators (\(contract.operators.count))" }
                DataTable("Operators", ["Operator", "Number"]).rows(contract.operators) { item in
                    [.text(item.name), .text(NumberText.count(item.count))]
                }
            }
        }
    }

    private func tensors(_ title: String, _ tensors: [ModelContract.Tensor]) -> Markup {
        DataTable(title, ["Name", "Type", "Shape", "Quantization"], showsTitle: true).rows(tensors) { tensor in
            [
                .text(tensor.name), code { tensor.type }, code { Self.shape(tensor.shape) },
                .text(tensor.scale.map { "scale \($0), zero point \(tensor.zeroPoint ?? 0)" } ?? "–"),
            ]
        }
    }

    private static func shape(_ shape: [Int]) -> String {
        "[" + shape.map { $0 < 0 ? "?" : "\($0)" }.joined(separator: ", ") + "]"
    }
}
