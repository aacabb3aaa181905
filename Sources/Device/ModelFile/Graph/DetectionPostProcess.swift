/// The operator `TFLite_Detection_PostProcess` at the end of a detection model. It selects boxes and returns them with
/// their classes, scores and count.
package struct DetectionPostProcess: Sendable, Equatable {
    /// The outputs of the main subgraph, by index, that are the operator's boxes, classes, scores and count, in this
    /// order; nil for a result that is not an output of the model.
    package let outputs: [Int?]

    /// The number of classes, without the background; nil where the options do not state it.
    package let classCount: Int?
}

extension DetectionPostProcess {
    package static let name = "TFLite_Detection_PostProcess"

    /// Reads the operator of the main subgraph of `model`; nil when there is none.
    /// - Throws: `malformed`, `tooLarge` when the operator's options cannot be read.
    package init?(of model: ModelFile) throws(ModelFileError) {
        guard let graph = model.graph.subgraphs.first,
            let node = graph.operators.last(where: { $0.name == Self.name })
        else { return nil }
        let outputs = (0..<4).map { place in
            node.outputs.indices.contains(place) ? graph.outputPlace(of: node.outputs[place]) : nil
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

extension ModelGraph.Subgraph {
    /// The output that is this tensor, or the tensor with its elements in another shape.
    fileprivate func outputPlace(of tensor: Int) -> Int? {
        var tensor = tensor
        for operation in operators {
            if let place = outputs.firstIndex(of: tensor) { return place }
            guard operation.inputs.first == tensor, let result = operation.outputs.first,
                ["EXPAND_DIMS", "RESHAPE", "SQUEEZE"].contains(operation.name)
            else { continue }
            tensor = result
        }
        return outputs.firstIndex(of: tensor)
    }
}
