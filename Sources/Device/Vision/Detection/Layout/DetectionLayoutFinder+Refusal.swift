import HearthModelFile

/// Why a model is not read as a detector. The texts say what its outputs are, and what to do.
extension DetectionLayoutFinder {
    var refusal: any Error {
        if let what = OutputsInWords.other(outputs.map { ($0.name, $0.shape) }, inputSize) {
            return VisionError.make(
                .failedPrecondition,
                "The model is not an object detector that Hearth reads: \(what). Its outputs: \(outputList).")
        }
        return hasShapesOfBoxes ? undescribedOutputs : unknownLayout
    }

    /// Whether there are boxes and two rows with a number for each of them, or scores of classes.
    private var hasShapesOfBoxes: Bool {
        outputs.indices.contains { boxes in
            guard let count = boxCount(boxes) else { return false }
            let rows = outputs.filter { $0.shape == [1, count] }.count
            return rows >= 2 || outputs.contains { $0.shape.count == 3 && $0.shape[1] == count && $0.shape[2] != 4 }
        }
    }

    private var mayBeLabeler: Bool {
        outputs.allSatisfy { output in output.shape.filter { $0 != 1 }.count <= 1 }
    }

    private var unknownLayout: any Error {
        VisionError.make(
            .failedPrecondition,
            """
            The model is not an object detector of a known layout. Its outputs: \(outputList). Known layouts: \
            \(BoxLayout.allCases.map(\.rawValue).joined(separator: ", ")).\
            \(mayBeLabeler ? " If it labels whole images, use a labeler, such as `hearth label`." : "")
            """, missing: .layout)
    }

    private var undescribedOutputs: any Error {
        VisionError.make(
            .failedPrecondition,
            """
            The model does not say which of its outputs contains boxes, classes and scores, nor in which order a box has \
            its sides. Its outputs: \(outputList). Name the layout: ssd if a box is top, left, bottom, right; yolov5-nms \
            if it is left, top, right, bottom; ssd-scores if the model does not select boxes.
            """, missing: .layout)
    }

    func unfit(_ layout: BoxLayout) -> any Error {
        VisionError.make(
            .invalidArgument,
            """
            The model's outputs do not have the form of the layout \(layout.rawValue), a \(layout.title). Its outputs: \
            \(outputList).
            """)
    }

    var anchorsWithoutOutputs: any Error {
        VisionError.make(
            .failedPrecondition,
            """
            The model's metadata has anchors (DETECTOR_METADATA), but its outputs are not offsets and scores for them. \
            Its outputs: \(outputList).
            """)
    }

    /// The model does something else, as its exporter says.
    func otherTask(_ task: String) -> any Error {
        let what =
            switch task {
            case "segment": "finds objects with their masks, which Hearth does not read yet"
            case "pose": "finds key points, which Hearth does not read yet"
            case "obb": "finds turned boxes, which Hearth does not read yet"
            case "classify": "labels whole images; it is no detector"
            default: "has the task '\(task.prefix(40))', which Hearth does not read"
            }
        return VisionError.make(.failedPrecondition, "The model's exporter says that it \(what).")
    }

    func otherClassCount(_ count: Int) -> any Error {
        VisionError.make(
            .failedPrecondition,
            """
            The model's exporter names \(count) classes, but its outputs have no score for each of so many: \(outputList). \
            Name the layout.
            """, missing: .layout)
    }

    private var outputList: String {
        let list = outputs.prefix(8).map { "'\($0.name.prefix(60))' \($0.shape)" }.joined(separator: ", ")
        return outputs.count > 8 ? list + " ..." : list
    }
}
