import HearthModelFile

extension UsualInput {
    /// Of labelers.
    init(ofLabeler graph: ModelGraph, exporter: ExporterDescription?) {
        self.init()
        if exporter?.task == "classify" {
            normalization = .zeroToOne
            placement = .crop
            evidence = .exporter
        } else if TeachableMachine.isExport(graph) {
            normalization = .minusOneToOne
            // Its web page and its library for the web train and label the middle square of each image.
            placement = .crop
            evidence = .names
        }
    }
}

/// The models that Teachable Machine exports for images.
enum TeachableMachine {
    /// Whether the graph has its names and its network: a MobileNetV2 with a head of its own, both within a third
    /// sequence of layers, such as from `sequential_1_input` to `sequential_3`.
    static func isExport(_ graph: ModelGraph) -> Bool {
        guard let main = graph.subgraphs.first, main.inputs.count == 1, main.outputs.count == 1,
            let input = main.inputTensors.first, let output = main.outputTensors.first
        else { return false }
        let named = graph.signatures.first { $0.subgraph == 0 }
        let inputName = named?.inputs.first?.name ?? input.name ?? ""
        let outputName = named?.outputs.first?.name ?? output.name ?? ""
        guard let first = number(inputName, after: "sequential_"), inputName == "sequential_\(first)_input",
            number(outputName, after: "sequential_") == first + 2
        else { return false }
        return main.operators.filter { $0.name == "DEPTHWISE_CONV_2D" }.count == 17
            && main.operators.last { $0.name != "QUANTIZE" && $0.name != "DEQUANTIZE" }?.name == "SOFTMAX"
    }

    /// The digits behind a prefix, as a small number.
    private static func number(_ name: String, after prefix: String) -> Int? {
        guard name.hasPrefix(prefix) else { return nil }
        let digits = name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
        return digits.count <= 6 ? Int(digits) : nil
    }
}
