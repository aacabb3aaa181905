import Foundation
import HearthImaging
package import HearthModelFile

/// Writes into a model's file how images go in and what its outputs mean, with its labels: as TensorFlow Lite metadata,
/// which other libraries read too, and what that format cannot say as ``ImageProcessing`` in the zip.
///
/// The model's own bytes stay as they are, behind the new metadata and before the zip.
package struct ModelPacker {
    /// A packed model.
    package struct Packed: Sendable {
        package let bytes: [UInt8]
        /// What the packed file says; nil when the model takes no image, or is neither a labeler nor a detector.
        package let description: ModelDescription?
        /// Why the file says nothing about images, or not all of it; nil when there is nothing to tell.
        package let notice: String?
    }

    private let bundle: ModelBundle
    private let stated: ImageProcessing
    /// Whether the caller named a label file.
    private let hasStatedLabels: Bool

    /// - Parameters:
    ///   - path: A `.tflite` file, plain or packed, a bundle's folder, its manifest or its zip.
    ///   - labelsPath: A label file that takes precedence over the model's own; nil for none.
    ///   - stated: What the file does not say, or says wrongly.
    /// - Throws: `ModelFileError`.
    package init(path: String, labelsPath: String? = nil, stated: ImageProcessing = ImageProcessing()) throws {
        bundle = try ModelBundle(path: path, labelsPath: labelsPath)
        self.stated = stated
        hasStatedLabels = labelsPath != nil
    }

    /// Packs a bundle as it is, with nothing stated.
    package init(_ bundle: ModelBundle) {
        self.bundle = bundle
        stated = ImageProcessing()
        hasStatedLabels = false
    }

    /// Label files beside the model, when there are several candidates and so none was used.
    package var ambiguousLabelFiles: [String] { bundle.ambiguousLabelFiles }

    /// - Throws: `ModelFileError` when the file cannot be written; an `NSError` when what is stated contradicts the model.
    ///   Does not throw the latter if nothing is stated.
    package func packed() throws -> Packed {
        switch Result(catching: { try DescribedModel.open(bundle, stated: stated) }) {
        case .success(let model): return try packed(model)
        case .failure(let error):
            // A model that is neither a labeler nor a detector is packed as it is.
            guard stated.isEmpty, !hasStatedLabels else { throw VisionError.wrap(error) }
            return Packed(
                bytes: try bundle.packed(), description: nil, notice: VisionError.wrap(error).localizedDescription)
        }
    }

    private func packed(_ answers: DescribedModel) throws -> Packed {
        let files = try MetadataFiles(answers, bundle, replacesLabels: hasStatedLabels)
        let members = try members(answers.description.processing, files)
        do throws(ModelFileError) {
            let bytes = try bundle.packed(adding: members, metadata: files.metadata)
            return Packed(bytes: bytes, description: answers.description, notice: nil)
        } catch {
            guard error.code == .unsupported else { throw error }
            // The old metadata says something that would be lost. Hearth's own description needs none.
            let bytes = try bundle.packed(adding: members, metadata: nil)
            return Packed(
                bytes: bytes, description: answers.description,
                notice: "the TensorFlow Lite metadata stays as it was: \(error.message)")
        }
    }

    /// The files for the zip: labels, and what only Hearth's own description says.
    private func members(
        _ found: ImageProcessing, _ files: MetadataFiles
    ) throws(ModelFileError) -> [String: [UInt8]] {
        var own = stated.completed(by: bundle.processing)
        // Readers of metadata multiply with a reciprocal; this way the answers stay the same to the last bit.
        if files.hasNewNormalization { own.normalization = found.normalization }
        var members = files.labels
        if !own.isEmpty { members[ImageProcessing.fileName] = try own.json() }
        return members
    }
}

/// A model that was loaded as a detector or as a labeler.
struct DescribedModel {
    let description: ModelDescription
    /// For a detector.
    let layout: DetectionLayout?
    /// The labels of the classes from 0, in the order of their numbers; nil for a labeler or where there are none.
    let boxLabels: [String]?
    /// For a labeler.
    let heads: [LabelHead]

    /// - Throws: When the model is neither a detector nor a labeler.
    static func open(_ bundle: ModelBundle, stated: ImageProcessing) throws -> DescribedModel {
        try LabelerOrDetector.open(bundle, stated: stated) {
            try labeler(bundle, stated)
        } detector: {
            try detector(bundle, stated)
        }
    }

    private static func detector(_ bundle: ModelBundle, _ stated: ImageProcessing) throws -> DescribedModel {
        var options = BoxDetectorOptions()
        options.processing = stated
        let model = try DetectionModel(bundle, options: options)
        return DescribedModel(
            description: model.description, layout: model.layout, boxLabels: model.labelNames, heads: [])
    }

    private static func labeler(_ bundle: ModelBundle, _ stated: ImageProcessing) throws -> DescribedModel {
        let model = try LabelingModel(bundle, settings: ModelSettings(processing: stated))
        return DescribedModel(
            description: model.description, layout: nil, boxLabels: nil, heads: model.labelHeads)
    }
}

/// The TensorFlow Lite metadata of a model, and the label files that it names.
struct MetadataFiles {
    private(set) var metadata: ModelMetadata
    /// By name.
    private(set) var labels: [String: [UInt8]] = [:]
    /// Whether the metadata says a normalization that the file's old metadata does not say.
    private(set) var hasNewNormalization = false

    private let taken: Set<String>

    /// Completes the metadata that the file has; what it says stays, unless the caller states something else.
    /// - Parameter replacesLabels: Whether the labels take the place of those that the metadata names.
    init(_ model: DescribedModel, _ bundle: ModelBundle, replacesLabels: Bool) throws(ModelFileError) {
        metadata = bundle.metadata ?? ModelMetadata()
        taken = bundle.zipNames
        let graph = bundle.model.graph.subgraphs.first
        if metadata.subgraphs.isEmpty { metadata.subgraphs = [ModelMetadata.Subgraph()] }
        var subgraph = metadata.subgraphs[0]
        Self.fill(&subgraph.inputs, count: graph?.inputs.count ?? 0)
        Self.fill(&subgraph.outputs, count: graph?.outputs.count ?? 0)
        if replacesLabels {
            for index in subgraph.outputs.indices { subgraph.outputs[index].removeLabels() }
        }
        describeImage(&subgraph.inputs, model.description.processing)
        if let layout = model.layout {
            try describeBoxes(&subgraph, layout, model.boxLabels)
        } else {
            for head in model.heads { describe(&subgraph.outputs[head.output.index], head) }
        }
        metadata.subgraphs[0] = subgraph
    }

    private static func fill(_ tensors: inout [ModelMetadata.Tensor], count: Int) {
        while tensors.count < count { tensors.append(ModelMetadata.Tensor()) }
    }

    // MARK: Input

    private mutating func describeImage(_ inputs: inout [ModelMetadata.Tensor], _ processing: ImageProcessing) {
        guard !inputs.isEmpty else { return }
        if inputs[0].name == nil { inputs[0].name = "image" }
        if inputs[0].content == nil {
            let color: ModelMetadata.ImageProperties.ColorSpace =
                switch processing.channels {
                case .rgb: .rgb
                case .gray: .grayscale
                default: .unknown
                }
            inputs[0].content = ModelMetadata.Content(
                properties: .image(
                    ModelMetadata.ImageProperties(colorSpace: color, defaultWidth: nil, defaultHeight: nil)),
                range: nil)
        }
        guard let normalization = processing.normalization else { return }
        let new = ModelMetadata.ProcessUnit.normalization(
            mean: normalization.mean, standardDeviation: normalization.standardDeviation)
        let place = inputs[0].processUnits.firstIndex { if case .normalization = $0 { true } else { false } }
        if let place, inputs[0].processUnits[place] == new { return }
        hasNewNormalization = true
        if let place { inputs[0].processUnits[place] = new } else { inputs[0].processUnits.append(new) }
        let ends = zip(normalization.mean, normalization.standardDeviation).map { (-$0 / $1, (255 - $0) / $1) }
        inputs[0].stats = ModelMetadata.Stats(
            maximum: ends.map { max($0.0, $0.1) }, minimum: ends.map { min($0.0, $0.1) })
    }

    // MARK: Outputs

    private mutating func describe(_ output: inout ModelMetadata.Tensor, _ head: LabelHead) {
        if output.name == nil { output.name = head.name ?? "score" }
        if output.content == nil { output.content = ModelMetadata.Content(properties: .feature, range: nil) }
        if let labels = head.labels, !output.namesLabels {
            add(
                labels.classNames.enumerated().map { labels.displayName($0.offset) ?? $0.element }, .axisLabels,
                to: &output)
        }
    }

    private mutating func describeBoxes(
        _ subgraph: inout ModelMetadata.Subgraph, _ layout: DetectionLayout, _ names: [String]?
    ) throws(ModelFileError) {
        switch layout.form {
        case .selected(let boxes, let classes, let scores, let count) where boxes.output != scores.output:
            let tensors =
                [
                    (boxes.output, "location"), (classes.output, "category"), (scores.output, "score"),
                ] + (count.map { [($0, "number of detections")] } ?? [])
            for (output, name) in tensors where subgraph.outputs[output].name == nil {
                subgraph.outputs[output].name = name
            }
            if case .coordinates(let coordinates) = layout.decoding, layout.unit == .stated {
                describe(&subgraph.outputs[boxes.output], coordinates)
            }
            name(names, .valueLabels, classes.output, &subgraph)
            if subgraph.outputGroups.isEmpty {
                subgraph.outputGroups = [
                    ModelMetadata.TensorGroup(
                        name: "detection_result",
                        tensorNames: [boxes, classes, scores].map { subgraph.outputs[$0.output].name ?? "" })
                ]
            }
        case .selected(_, _, let scores, _), .scored(_, _, let scores, _):
            name(names, .axisLabels, scores.output, &subgraph)
        case .grid(let output, _, _, _): name(names, .axisLabels, output, &subgraph)
        }
    }

    /// Gives an output the names of the classes, unless some output has labels already.
    private mutating func name(
        _ names: [String]?, _ kind: ModelMetadata.AssociatedFile.Kind, _ output: Int,
        _ subgraph: inout ModelMetadata.Subgraph
    ) {
        guard let names, !subgraph.outputs.contains(where: \.namesLabels) else { return }
        add(names, kind, to: &subgraph.outputs[output])
    }

    private func describe(_ output: inout ModelMetadata.Tensor, _ coordinates: BoxCoordinates) {
        guard output.content == nil, coordinates.form == .boundaries, coordinates.xScale == 1 else { return }
        let order = (0..<4).map { Int(coordinates.order[$0]) }
        output.content = ModelMetadata.Content(
            properties: .boundingBox(
                ModelMetadata.BoundingBoxProperties(index: order, form: .boundaries, coordinates: .ratio)),
            // The dimension with the four numbers of a box.
            range: ModelMetadata.ValueRange(minimum: 2, maximum: 2))
    }

    /// Adds a label file under a name that the zip does not have.
    private mutating func add(
        _ names: [String], _ kind: ModelMetadata.AssociatedFile.Kind, to output: inout ModelMetadata.Tensor
    ) {
        let bytes = Array(names.map { $0 + "\n" }.joined().utf8)
        let name = ModelBundle.freeLabelsName { taken.contains($0) || labels[$0].map { $0 != bytes } ?? false }
        labels[name] = bytes
        output.associatedFiles.append(
            ModelMetadata.AssociatedFile(
                name: name, description: "Labels of the classes.", kind: kind, locale: nil, version: nil))
    }
}

extension ModelMetadata.Tensor {
    /// Whether a file names labels for the tensor.
    fileprivate var namesLabels: Bool {
        associatedFiles.contains { $0.kind == .axisLabels || $0.kind == .valueLabels }
    }

    fileprivate mutating func removeLabels() {
        associatedFiles.removeAll { $0.kind == .axisLabels || $0.kind == .valueLabels }
    }
}
