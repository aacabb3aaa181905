import HearthModelFile

/// What each output of a detection model holds, by index, and how the model writes its boxes.
struct DetectionLayout: Sendable, Hashable {
    /// Who selects boxes among the many that a network proposes.
    enum Form: Sendable, Hashable {
        /// The model selects. It returns a class and a score for each box, both `[1, N]`, and maybe how many of the N
        /// count.
        case postprocessed(classes: Int, scores: Int, count: Int?)
        /// The reader of the outputs selects. The model returns a score for each class at each place, `[1, N,
        /// classCount]`.
        case raw(scores: Int, classCount: Int)
    }

    /// The output with the boxes, `[1, N, 4]`.
    var boxes: Int
    var choice: Form
    /// N.
    var boxCount: Int
    var coordinates: BoxCoordinates

    /// The output with the scores.
    var scores: Int {
        switch choice {
        case .postprocessed(_, let scores, _), .raw(let scores, _): scores
        }
    }

    /// All outputs that the reader reads.
    var outputs: [Int] {
        switch choice {
        case .postprocessed(let classes, let scores, let count): [boxes, classes, scores] + (count.map { [$0] } ?? [])
        case .raw(let scores, _): [boxes, scores]
        }
    }
}

/// Finds out what each output of a model holds. Free of side effects.
///
/// It looks at four sources in this order, and the first one that fits the shapes wins: the operator that selected the
/// boxes; AutoML's `tflite_metadata.json`; the TensorFlow Lite metadata; the shapes and their order. It ignores outputs
/// without a role, such as the state of a video model.
struct DetectionLayoutFinder {
    struct Output {
        var name: String
        var shape: [Int]
    }

    /// In the model's order, with the shapes that they have after memory was allocated.
    var outputs: [Output]
    /// The size of the model's input in pixels; nil where the model leaves it open.
    var inputSize: (width: Int, height: Int)?
    var postProcess: DetectionPostProcess?
    var export: DetectionExport?
    var metadata: ModelMetadata.Subgraph?

    /// - Throws: When no layout fits; the text names the outputs.
    func layout() throws -> DetectionLayout {
        for (roles, isOperator) in [(operatorRoles, true), (exportRoles, false), (metadataRoles, false)] {
            if let layout = try layout(roles, isOperator: isOperator) { return layout }
        }
        if let layout = try rawLayout(metadataRoles) { return layout }
        if let layout = try layout(rolesByShape, isOperator: false) { return layout }
        throw unknownLayout
    }

    // MARK: Evidence

    private var operatorRoles: [OutputRole: Int] {
        guard let outputs = postProcess?.outputs else { return [:] }
        return Self.roles(zip(OutputRole.allCases, outputs).compactMap { role, output in output.map { (role, $0) } })
    }

    private var exportRoles: [OutputRole: Int] {
        guard let export else { return [:] }
        let names = outputs.map(\.name)
        let described = export.outputRepresentations.enumerated().compactMap { place, representation in
            OutputRole(exportName: representation).map { role in
                let name = export.outputNames.indices.contains(place) ? export.outputNames[place] : nil
                return (role, name.flatMap(names.firstIndex) ?? place)
            }
        }
        return Self.roles(described)
    }

    private var metadataRoles: [OutputRole: Int] {
        guard let metadata else { return [:] }
        return MetadataRoles(metadata).roles.filter { outputs.indices.contains($0.value) }
    }

    /// Boxes, then classes, then scores, in the order of all known exports; the first remaining output with one element
    /// is the count.
    private var rolesByShape: [OutputRole: Int] {
        guard let boxes = outputs.firstIndex(where: { $0.shape.count == 3 && $0.shape[0] == 1 && $0.shape[2] == 4 })
        else { return [:] }
        let rows = outputs.indices.filter { outputs[$0].shape == [1, outputs[boxes].shape[1]] }
        guard rows.count >= 2 else { return [:] }
        var roles = [OutputRole.boxes: boxes, .classes: rows[0], .scores: rows[1]]
        roles[.count] = outputs.indices.first { !roles.values.contains($0) && elementCount($0) == 1 }
        return roles
    }

    private static func roles(_ pairs: [(OutputRole, Int)]) -> [OutputRole: Int] {
        Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Shapes

    private func layout(_ roles: [OutputRole: Int], isOperator: Bool) throws -> DetectionLayout? {
        guard let boxes = roles[.boxes], let classes = roles[.classes], let scores = roles[.scores],
            let boxCount = boxCount(boxes), elementCount(classes) == boxCount, elementCount(scores) == boxCount
        else { return nil }
        let count = roles[.count].flatMap { elementCount($0) == 1 ? $0 : nil }
        return DetectionLayout(
            boxes: boxes, choice: .postprocessed(classes: classes, scores: scores, count: count), boxCount: boxCount,
            coordinates: isOperator ? .detectionPostProcess : try coordinates(boxes) ?? .detectionPostProcess)
    }

    /// When the model does not select the boxes, the metadata has to describe them, because there is no common form.
    private func rawLayout(_ roles: [OutputRole: Int]) throws -> DetectionLayout? {
        guard let boxes = roles[.boxes], let scores = roles[.scores], let boxCount = boxCount(boxes),
            let coordinates = try coordinates(boxes)
        else { return nil }
        let shape = outputs[scores].shape
        guard shape.count == 3, shape[0] == 1, shape[1] == boxCount, shape[2] > 0 else { return nil }
        return DetectionLayout(
            boxes: boxes, choice: .raw(scores: scores, classCount: shape[2]), boxCount: boxCount,
            coordinates: coordinates)
    }

    /// The N of an output `[1, N, 4]`.
    private func boxCount(_ output: Int) -> Int? {
        guard outputs.indices.contains(output) else { return nil }
        let shape = outputs[output].shape
        return shape.count == 3 && shape[0] == 1 && shape[1] > 0 && shape[2] == 4 ? shape[1] : nil
    }

    private func elementCount(_ output: Int) -> Int? {
        guard outputs.indices.contains(output) else { return nil }
        return outputs[output].shape.reduce(1) { product, length in
            product.flatMap { product in
                let (next, overflow) = product.multipliedReportingOverflow(by: length)
                return overflow ? nil : next
            }
        }
    }

    private func coordinates(_ output: Int) throws -> BoxCoordinates? {
        guard let tensors = metadata?.outputs, tensors.indices.contains(output),
            case .boundingBox(let properties) = tensors[output].content?.properties
        else { return nil }
        return try BoxCoordinates(properties, inputSize: inputSize)
    }

    // MARK: Refusal

    private var unknownLayout: any Error {
        let list = outputs.prefix(8).map { "'\($0.name.prefix(60))' \($0.shape)" }.joined(separator: ", ")
        return VisionError.make(
            .failedPrecondition,
            """
            The model is not an object detector of a known layout. \
            Its outputs: \(list)\(outputs.count > 8 ? " ..." : ""). \
            Known: boxes [1, N, 4], classes [1, N], scores [1, N] and optionally a count; \
            or boxes [1, N, 4] and scores \
            [1, N, C] that the model's metadata describes.
            """)
    }
}

/// What an output of a detection model holds, in the order in which `TFLite_Detection_PostProcess` returns them.
enum OutputRole: CaseIterable, Sendable {
    case boxes, classes, scores, count

    /// Reads the words of AutoML's `tflite_metadata.json`.
    init?(exportName: String) {
        switch exportName {
        case "bounding_boxes": self = .boxes
        case "class_labels": self = .classes
        case "class_confidences": self = .scores
        case "num_of_boxes": self = .count
        default: return nil
        }
    }

    /// Reads the names that tools for TensorFlow Lite metadata use for outputs.
    init?(metadataName: String) {
        switch metadataName.lowercased() {
        case "location", "locations": self = .boxes
        case "category", "categories", "class", "classes": self = .classes
        case "score", "scores": self = .scores
        case "number of detections", "number_of_detections", "num_detections", "count": self = .count
        default: return nil
        }
    }
}

/// What each output holds according to the TensorFlow Lite metadata. It reads the outputs' names first, then their
/// content, then the group `detection_result`, whose members are location, category and score. Free of side effects.
struct MetadataRoles {
    /// Output indices.
    private(set) var roles: [OutputRole: Int] = [:]

    init(_ metadata: ModelMetadata.Subgraph) {
        for (index, output) in metadata.outputs.enumerated() {
            add(output.name.flatMap(OutputRole.init(metadataName:)), index)
        }
        for (index, output) in metadata.outputs.enumerated() {
            add(Self.role(byContent: output), index)
        }
        let group = metadata.outputGroups.first { $0.name == "detection_result" }
        for (role, name) in zip([OutputRole.boxes, .classes, .scores], group?.tensorNames ?? []) {
            if let index = metadata.outputs.firstIndex(where: { $0.name == name }) { add(role, index) }
        }
    }

    /// The first output found for a role keeps it, and an output has one role.
    private mutating func add(_ role: OutputRole?, _ index: Int) {
        guard let role, roles[role] == nil, !roles.values.contains(index) else { return }
        roles[role] = index
    }

    private static func role(byContent output: ModelMetadata.Tensor) -> OutputRole? {
        if case .boundingBox = output.content?.properties { return .boxes }
        let kinds = output.associatedFiles.map(\.kind)
        if kinds.contains(.valueLabels) { return .classes }
        if kinds.contains(.axisLabels) || kinds.contains(.axisScoreCalibration) { return .scores }
        return nil
    }
}
