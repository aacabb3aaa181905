import HearthArguments
import HearthLocalCommands
package import HearthWire

/// A model's contract as text.
package enum ContractText {
    package static func lines(_ contract: ModelContract) -> [String] {
        var lines: [String] = []
        if let title = contract.title, !title.isEmpty { lines.append("title:      \(title.printable)") }
        if let author = contract.author, !author.isEmpty { lines.append("author:     \(author.printable)") }
        if let license = contract.license, !license.isEmpty { lines.append("license:    \(license.printable)") }
        lines += contract.inputs.map { "input:      \(text($0))" }
        lines += contract.outputs.map { "output:     \(text($0))" }
        let operators = contract.operators.map { ($0.count == 1 ? $0.name : "\($0.name) x\($0.count)").printable }
        lines.append("operators:  \(operators.joined(separator: ", "))")
        if !contract.signatures.isEmpty {
            lines.append("signatures: \(contract.signatures.joined(separator: ", ").printable)")
        }
        if let count = contract.labelCount { lines.append("labels:     \(count)") }
        if let vision = contract.vision { lines += text(vision) }
        return lines
    }

    /// How images go in and what comes out, or why they cannot.
    private static func text(_ vision: ModelContract.Vision) -> [String] {
        if let problem = vision.problem { return ["images:     not yet: \(problem.printable)"] }
        return DescriptionText.lines(images: vision.images ?? "", answers: vision.answers ?? [])
    }

    private static func text(_ tensor: ModelContract.Tensor) -> String {
        var text = "\(tensor.name.printable) \(tensor.type) \(tensor.shape)"
        if let scale = tensor.scale { text += " scale \(scale) zero point \(tensor.zeroPoint ?? 0)" }
        return text
    }
}
