import HearthModelFile
import TensorFlowLite

/// Finds out what each output of a model holds. Free of side effects.
///
/// It looks at these sources in this order, and the first one that fits the shapes wins: what the caller or the file
/// states; the operator that selected the boxes; the anchors in the metadata; AutoML's `tflite_metadata.json`; the
/// TensorFlow Lite metadata; the exporter's description; the outputs' names; and last, for a model with one output, its
/// shape, which the numbers of each run then have to confirm. It ignores outputs without a role, such as the state of a
/// video model.
struct DetectionLayoutFinder {
    struct Output {
        var name: String
        var shape: [Int]
        /// The name in the model's signature, which may differ from the tensor's own; nil without a signature.
        var signatureName: String?
        /// The name of the operator that computes it; nil where that is not known.
        var lastOperator: String?

        /// Whether the numbers of the last dimension are probabilities of classes.
        var isSoftmax: Bool { lastOperator == "SOFTMAX" }
        /// Whether the last operator is one with which classifiers end. Tables of boxes are put together by others.
        var endsLikeClassifier: Bool { ["SOFTMAX", "LOGISTIC", "FULLY_CONNECTED", "MEAN"].contains(lastOperator) }
    }

    /// In the model's order, with the shapes that they have after memory was allocated.
    var outputs: [Output]
    /// The size of the model's input in pixels; nil where the model leaves it open.
    var inputSize: (width: Int, height: Int)?
    var postProcess: DetectionPostProcess?
    var export: DetectionExport?
    var metadata: ModelMetadata.Subgraph?
    var exporter: ExporterDescription?
    /// How many labels the model has; nil without labels.
    var labelCount: Int?
    /// The layout that the caller or the file states.
    var stated: (layout: BoxLayout, evidence: Evidence)?

    /// A layout, and what says so.
    struct Found {
        var layout: DetectionLayout
        var evidence: Evidence
    }

    /// - Throws: When no layout fits; the text names the outputs.
    func find() throws -> Found {
        if let stated { return Found(layout: try layout(stated: stated.layout), evidence: stated.evidence) }
        if var found = try described() {
            // Descriptions tell the roles, not how classes are counted.
            if found.evidence != .operator, isObjectDetectionServer { found.layout.firstClass = .one }
            return found
        }
        if let layout = try exported() { return Found(layout: layout, evidence: .exporter) }
        if let layout = try named() { return Found(layout: layout, evidence: .names) }
        if outputs.count == 2, let layout = try blazeFace(boxes: 0, scores: 1) ?? blazeFace(boxes: 1, scores: 0) {
            return Found(layout: layout, evidence: .shape)
        }
        if outputs.count == 1, let layout = try layoutByShape() { return Found(layout: layout, evidence: .shape) }
        throw refusal
    }

    /// By the operator, or by the descriptions in and beside the file.
    private func described() throws -> Found? {
        if let layout = try selected(operatorRoles, by: .operator) { return Found(layout: layout, evidence: .operator) }
        if let layout = try anchored() { return Found(layout: layout, evidence: .metadata) }
        if let layout = try selected(exportRoles, by: .export) { return Found(layout: layout, evidence: .export) }
        if let layout = try selected(metadataRoles, by: .metadata) { return Found(layout: layout, evidence: .metadata) }
        return try scored(metadataRoles).map { Found(layout: $0, evidence: .metadata) }
    }

    // MARK: Shapes

    /// The N of an output `[1, N, 4]`, or `[N, 4]`.
    func boxCount(_ output: Int, hasBatch: Bool = true) -> Int? {
        guard outputs.indices.contains(output) else { return nil }
        let shape = outputs[output].shape
        let sizes = hasBatch ? Array(shape.dropFirst()) : shape
        return sizes.count == 2 && (!hasBatch || shape[0] == 1) && sizes[0] > 0 && sizes[1] == 4 ? sizes[0] : nil
    }

    func elementCount(_ output: Int) -> Int? {
        guard outputs.indices.contains(output) else { return nil }
        return outputs[output].shape.reduce(1) { product, length in
            product.flatMap { product in
                let (next, overflow) = product.multipliedReportingOverflow(by: length)
                return overflow ? nil : next
            }
        }
    }

    /// The names in the signature, else those of the tensors without their numbers.
    var names: [String] { outputs.map { $0.signatureName ?? String($0.name.prefix { $0 != ":" }) } }
}

extension DetectionLayoutFinder {
    /// Collects what an open model says about its outputs.
    /// - Throws: When the model's operator or its `tflite_metadata.json` cannot be read.
    init(
        _ bundle: ModelBundle, _ outputs: [ModelOutput], _ inputSize: (width: Int, height: Int)?,
        stated: ImageProcessing
    ) throws {
        let graph = bundle.model.graph
        let main = graph.subgraphs.first
        let tensors = main?.outputs ?? []
        let named = graph.signatures.first { $0.subgraph == 0 }?.outputs ?? []
        self.init(
            outputs: outputs.map { output in
                let tensor = tensors.indices.contains(output.index) ? tensors[output.index] : nil
                return Output(
                    name: output.description.name, shape: output.description.shape.dimensions,
                    signatureName: named.first { $0.tensor == tensor }?.name,
                    lastOperator: main?.lastOperator(ofOutput: output.index)?.name)
            },
            inputSize: inputSize, postProcess: try DetectionPostProcess(of: bundle.model),
            export: try bundle.exportMetadata.map { try DetectionExport(json: $0) },
            metadata: bundle.metadata?.subgraphs.first, exporter: bundle.exporterDescription,
            labelCount: bundle.labels?.count)
        self.stated =
            stated.layout.map { ($0, .stated) } ?? bundle.processing.layout.map { ($0, .packed) }
    }
}
