import HearthModelFile
import TensorFlowLite

/// One output of a labeling model: a row of numbers, one for each class.
struct LabelHead: Sendable {
    let output: ModelOutput
    /// The name of the output; nil for a model with one head, or where the file has no name.
    let name: String?
    let labels: LabelMap?
    let activation: ImageProcessing.Activation
    /// Whether the model ends in an operator whose numbers lie between 0 and 1.
    let endsInProbabilities: Bool
}

/// Finds the heads of a labeling model: its outputs that are rows of numbers. Free of side effects.
struct LabelHeadFinder {
    let bundle: ModelBundle
    let outputs: [ModelOutput]
    /// What the caller and the file state.
    let processing: ImageProcessing

    /// The heads in the model's order, and which of them counts where only one can: the first one for which the metadata
    /// names a label for each number, else the first of all.
    /// - Throws: When the output that counts is no row of numbers.
    func find() throws -> (heads: [LabelHead], main: Int) {
        let (first, labels) = try bundle.labeledScores()
        let main = outputs.indices.contains(first) ? outputs[first] : outputs[0]
        let count = try ScoreReader(main.description).count
        var heads: [LabelHead] = []
        for output in outputs {
            guard let reader = try? ScoreReader(output.description) else { continue }
            let isMain = output.index == main.index
            // A label file that belongs to no output belongs to each of its size.
            let shared = bundle.hasLabeledScores || reader.count != count ? nil : labels
            let named = isMain ? labels : try bundle.metadataLabels(ofOutput: output.index) ?? shared
            heads.append(head(output, named))
        }
        return (heads, heads.firstIndex { $0.output.index == main.index } ?? 0)
    }

    private func head(_ output: ModelOutput, _ labels: LabelMap?) -> LabelHead {
        let name = output.metadata?.name ?? output.signatureName ?? output.description.name
        return LabelHead(
            output: output, name: name.isEmpty ? nil : name, labels: labels,
            activation: processing.activation ?? .none, endsInProbabilities: endsInProbabilities(output))
    }

    private func endsInProbabilities(_ output: ModelOutput) -> Bool {
        let last = bundle.model.graph.subgraphs.first?.lastOperator(ofOutput: output.index)
        return last?.name == "SOFTMAX" || last?.name == "LOGISTIC"
    }
}

extension ModelDescription {
    init(_ model: ImageModel, _ heads: [LabelHead]) {
        self.init(
            model, isDetector: false, outputs: ImageProcessing(activation: heads.first?.activation),
            answers: heads.map { Self.text($0, isOnly: heads.count == 1) })
    }

    private static func text(_ head: LabelHead, isOnly: Bool) -> String {
        let count = (try? ScoreReader(head.output.description).count) ?? 0
        let what =
            switch (head.activation, head.labels) {
            case (.none, nil) where count == 1: "a number"
            case (.none, nil) where head.endsInProbabilities: "\(count) scores without names"
            case (.none, nil): "\(count) numbers without names: scores, logits or an embedding"
            case (.none, _): "scores of \(count) labels"
            case (.softmax, _): "logits of \(count) labels, by softmax"
            case (.sigmoid, _): "logits of \(count) labels, by sigmoid"
            }
        return isOnly ? what : "\(head.name ?? "output \(head.output.index)"): \(what)"
    }
}
