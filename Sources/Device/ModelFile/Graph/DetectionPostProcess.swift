/// The operator `TFLite_Detection_PostProcess` that a detection model ends with: it chooses boxes, and gives them with
/// their classes, scores and count.
package struct DetectionPostProcess: Sendable, Equatable {
    /// Which outputs of the main subgraph are the operator's boxes, classes, scores and count, in this order, by index;
    /// nil for one that the model does not give out.
    package let outputs: [Int?]

    /// How many classes the model tells apart, the background not counted; nil where the options do not say.
    package let classCount: Int?
}

extension DetectionPostProcess {
    static let name = "TFLite_Detection_PostProcess"

    /// Of the main subgraph of `model`; nil when it has no such operator.
    /// - Throws: `malformed`, `tooLarge` when the operator's options cannot be read.
    package init?(of model: ModelFile) throws(ModelFileError) {
        guard let graph = model.graph.subgraphs.first,
            let node = graph.operators.last(where: { $0.name == Self.name })
        else { return nil }
        let outputs = (0..<4).map { place in
            node.outputs.indices.contains(place) ? graph.outputs.firstIndex(of: node.outputs[place]) : nil
        }
        guard let place = node.customOptions, !place.isEmpty else {
            self.init(outputs: outputs, classCount: nil)
            return
        }
        let options = try FlexMap(model.bytes.withUnsafeBytes { [UInt8]($0[place]) })
        let classCount = options.numbers["num_classes"].flatMap { Int(exactly: $0) }
        self.init(outputs: outputs, classCount: classCount.flatMap { $0 > 0 ? $0 : nil })
    }
}
