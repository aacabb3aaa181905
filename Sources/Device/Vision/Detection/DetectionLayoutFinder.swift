import HearthModelFile
import TensorFlowLite

/// Finds out what each output of a model holds. Free of side effects.
///
/// It looks at four sources in this order, and the first one that fits the shapes wins: the operator that selected the
/// boxes; AutoML's `tflite_metadata.json`; the TensorFlow Lite metadata; the outputs' names. It ignores outputs without
/// a role, such as the state of a video model.
///
/// Shapes alone are no source: exporters write classes and scores in either order, and the sides of a box too.
struct DetectionLayoutFinder {
    struct Output {
        var name: String
        var shape: [Int]
        /// The name in the model's signature, which may differ from the tensor's own; nil without a signature.
        var signatureName: String?
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
        if let layout = try layout(operatorRoles, isOperator: true) { return layout }
        if hasAnchors { throw anchorsNeeded }
        for roles in [exportRoles, metadataRoles] {
            if let layout = try layout(roles, isOperator: false) { return layout }
        }
        if let layout = try rawLayout(metadataRoles) { return layout }
        if isObjectDetectionServer { throw savedModel }
        if let layout = try layout(namedRoles, isOperator: false) { return layout }
        throw hasShapesOfBoxes ? undescribedOutputs : unknownLayout
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

    /// Only the names of TensorFlow's Object Detection API, because its boxes are always top, left, bottom, right.
    private var namedRoles: [OutputRole: Int] {
        Self.roles(
            names.enumerated().compactMap { index, name in
                OutputRole(objectDetectionName: name).map { ($0, index) }
            })
    }

    /// Whether it is the API's model for servers. That counts classes from 1, the API's models for TensorFlow Lite from
    /// 0.
    private var isObjectDetectionServer: Bool {
        names.contains("detection_boxes") && names.contains { $0.hasPrefix("raw_detection_") }
    }

    private var names: [String] { outputs.map { $0.signatureName ?? String($0.name.prefix { $0 != ":" }) } }

    /// Whether the boxes are offsets from anchors, which MediaPipe's exporters store in a block of their own.
    private var hasAnchors: Bool { metadata?.customBlockNames.contains("DETECTOR_METADATA") ?? false }

    /// Whether there are boxes and two rows with a number for each of them.
    private var hasShapesOfBoxes: Bool {
        let counts = outputs.indices.compactMap { boxCount($0) }
        return counts.contains { count in outputs.filter { $0.shape == [1, count] }.count >= 2 }
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
        VisionError.make(
            .failedPrecondition,
            """
            The model is not an object detector of a known layout. Its outputs: \(outputList). \
            Known: boxes [1, N, 4], classes [1, N], scores [1, N] and optionally a count; \
            or boxes [1, N, 4] and scores \
            [1, N, C] that the model's metadata describes.
            """)
    }

    private var undescribedOutputs: any Error {
        VisionError.make(
            .failedPrecondition,
            """
            The model does not say which of its outputs contains boxes, classes and scores, nor in which order a box has \
            its sides. Its outputs: \(outputList). Describe them in the model's metadata; or, if a box is top, \
            left, bottom, right, in a file \(DetectionExport.fileName) in the model's folder.
            """)
    }

    private var savedModel: any Error {
        VisionError.make(
            .failedPrecondition,
            """
            The model is one of TensorFlow's Object Detection API for servers, which Hearth does not read; export it for \
            TensorFlow Lite, with the operator \(DetectionPostProcess.name) at its end.
            """)
    }

    private var anchorsNeeded: any Error {
        VisionError.make(
            .failedPrecondition,
            """
            The model returns offsets of boxes from anchors, which are in its metadata (DETECTOR_METADATA). Hearth does \
            not read anchors yet; export the model with the operator \(DetectionPostProcess.name) at its end.
            """)
    }

    private var outputList: String {
        let list = outputs.prefix(8).map { "'\($0.name.prefix(60))' \($0.shape)" }.joined(separator: ", ")
        return outputs.count > 8 ? list + " ..." : list
    }
}

extension DetectionLayoutFinder {
    /// Collects what an open model says about its outputs.
    /// - Throws: When the model's operator or its `tflite_metadata.json` cannot be read.
    init(_ bundle: ModelBundle, _ outputs: [ModelOutput], _ inputSize: (width: Int, height: Int)?) throws {
        let graph = bundle.model.graph
        let tensors = graph.subgraphs.first?.outputs ?? []
        let named = graph.signatures.first { $0.subgraph == 0 }?.outputs ?? []
        self.init(
            outputs: outputs.map { output in
                let tensor = tensors.indices.contains(output.index) ? tensors[output.index] : nil
                return Output(
                    name: output.description.name, shape: output.description.shape.dimensions,
                    signatureName: named.first { $0.tensor == tensor }?.name)
            },
            inputSize: inputSize, postProcess: try DetectionPostProcess(of: bundle.model),
            export: try bundle.exportMetadata.map { try DetectionExport(json: $0) },
            metadata: bundle.metadata?.subgraphs.first)
    }
}
