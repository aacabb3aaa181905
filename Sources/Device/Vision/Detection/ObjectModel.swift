import Foundation
import HearthImaging
import HearthModelFile
import HearthModelSource

/// The model of an object detector: one that finds objects, or one that labels the whole image.
enum ObjectModel: Sendable {
    case detection(DetectionModel)
    case labeling(LabelingModel)

    /// What an object detector needs to know about an image.
    struct Request: Sendable {
        var isMultiple: Bool
        /// nil for objects without labels.
        var labels: Labels?

        struct Labels: Sendable {
            /// Labels with a lower score are left out; nil for the model's own threshold, else 0.
            var threshold: Float?
            var maxCount: Int
        }
    }

    /// An object of an image with its place, before it gets a tracking id.
    struct Found: Sendable {
        var box: DetectedBox
        var labels: [ObjectLabel]
    }

    init(path: String, labelsPath: String?, settings: ModelSettings) throws {
        let bundle = try ModelBundle(path: path, labelsPath: labelsPath, locale: settings.labelsLocale)
        if try Self.findsObjects(bundle, stated: settings.processing) {
            var options = BoxDetectorOptions()
            options.threadCount = settings.threadCount
            options.placement = settings.placement
            options.resampling = settings.resampling
            options.processing = settings.processing
            self = .detection(try DetectionModel(bundle, options: options))
        } else {
            self = .labeling(try LabelingModel(bundle, settings: settings))
        }
    }

    /// Decided before the model is loaded, so that it is loaded once, for one purpose.
    static func findsObjects(_ bundle: ModelBundle, stated: ImageProcessing = ImageProcessing()) throws -> Bool {
        if stated.layout != nil || bundle.processing.layout != nil { return true }
        if let type = bundle.manifest?.modelType { return type == ModelTask.objectDetection.manifestType }
        if try DetectionPostProcess(of: bundle.model) != nil { return true }
        if let task = bundle.exporterDescription?.task { return task != "classify" }
        // A labeler may also contain such a file, so an unreadable one is ignored here. Loading a detector reports what
        // is wrong with its file.
        let export = bundle.exportMetadata.flatMap { try? DetectionExport(json: $0) }
        let representations = export?.outputRepresentations ?? []
        if representations.contains(where: { OutputRole(exportName: $0) == .boxes }) { return true }
        guard let graph = bundle.model.graph.subgraphs.first else { return false }
        // The file has been read, but its indices have not been checked yet.
        let outputs = graph.outputs.filter(graph.tensors.indices.contains).map { graph.tensors[$0] }
        let names = bundle.model.graph.signatures.flatMap(\.outputs).map(\.name)
        if names.contains(where: { OutputRole(customVisionName: $0) == .boxes }) { return true }
        return haveShapesOfObjects(outputs) || isTable(outputs)
    }

    /// Whether the only output is more than a row of numbers, so that it cannot be a labeler's.
    private static func isTable(_ outputs: [ModelGraph.Tensor]) -> Bool {
        guard outputs.count == 1 else { return false }
        return outputs[0].shape.filter { $0 != 1 }.count > 1
    }

    /// Whether there are boxes, `[1, N, 4]`, and beside them a class and a score for each box, or the scores of its
    /// classes, `[1, N, C]`. A labeler may return boxes too. A size that is open, or that the file does not state, may
    /// be any.
    private static func haveShapesOfObjects(_ outputs: [ModelGraph.Tensor]) -> Bool {
        func isOpen(_ tensor: ModelGraph.Tensor) -> Bool {
            tensor.shape.isEmpty || tensor.shapeSignature?.dropFirst().contains { $0 < 0 } == true
        }
        return outputs.indices.contains { place in
            let boxes = outputs[place]
            guard boxes.shape.count == 3, boxes.shape[2] == 4 else { return false }
            let others = outputs.indices.filter { $0 != place }.map { outputs[$0] }
            let count = boxes.shape[1]
            let row = [count].filter { $0 != 1 }
            let isRow = { (other: ModelGraph.Tensor) -> Bool in
                isOpen(boxes) || isOpen(other) || other.shape.filter { $0 != 1 } == row
            }
            let isTable = { (other: ModelGraph.Tensor) -> Bool in
                other.shape.count == 3 && (isOpen(boxes) || isOpen(other) || other.shape[1] == count)
            }
            return others.filter(isRow).count >= 2 || others.contains(where: isTable)
        }
    }

    /// The size to decode an image for; nil for all its pixels.
    var decodeTarget: DecodeTarget? {
        switch self {
        case .detection(let model): model.decodeTarget(region: nil)
        case .labeling(let model): model.decodeTarget(region: nil)
        }
    }

    /// The objects of one image, the most prominent first.
    /// - Parameter body: Called with the objects; for a detection model before it can run on the next image.
    func run(
        on image: DecodedImage, _ request: Request, watch: ModelRunObservation, _ body: ([Found]) -> [Object]
    ) throws -> [Object] {
        switch self {
        case .detection(let model):
            let selection = ObjectSelection(
                threshold: model.metadataThreshold ?? ObjectSelection.defaultThreshold,
                maxCount: request.isMultiple ? ObjectSelection.objectLimit : 1)
            return try model.run(on: image, watch: watch) { boxes in
                body(
                    selection.objects(boxes).map { Found(box: $0, labels: Self.labels(of: $0, model, request.labels)) })
            }
        case .labeling(let model):
            return body([try Self.wholeImage(image, model, request.labels, watch)])
        }
    }

    private static func labels(
        of box: DetectedBox, _ model: DetectionModel, _ request: Request.Labels?
    ) -> [ObjectLabel] {
        guard let request, box.confidence >= request.threshold ?? model.metadataThreshold ?? 0 else { return [] }
        return [ObjectLabel(text: box.text, index: box.index, confidence: box.confidence)]
    }

    private static func wholeImage(
        _ image: DecodedImage, _ model: LabelingModel, _ request: Request.Labels?, _ watch: ModelRunObservation
    ) throws -> Found {
        let size = image.uprightSize
        let frame = CGRect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        let labels = try request.map { request in
            let ranking = LabelRanking(
                threshold: request.threshold ?? model.threshold ?? 0, maxCount: request.maxCount)
            return try model.answer(for: image, region: nil, ranking, watch: watch).entries.map { entry in
                ObjectLabel(text: model.text(of: entry.index), index: entry.index, confidence: entry.score)
            }
        }
        // One class for all images: the whole frame of a video stays one object, whatever it shows.
        let box = DetectedBox(frame: frame, unclippedFrame: frame, text: "", index: 0, confidence: 1)
        return Found(box: box, labels: labels ?? [])
    }
}

/// Selects the boxes of a detection model that are the objects of an image. Free of side effects.
struct ObjectSelection: Sendable {
    /// Boxes whose score is not above the threshold are left out.
    var threshold: Float
    var maxCount: Int

    /// The threshold for models whose metadata names none.
    static let defaultThreshold: Float = 0.5
    static let objectLimit = 5

    /// The most prominent object first, that is, the one with the highest product of confidence and area inside the
    /// image; of equal ones the earlier box.
    func objects(_ boxes: [DetectedBox]) -> [DetectedBox] {
        let candidates = boxes.enumerated().filter { $0.element.confidence > threshold }
        let sorted = candidates.sorted { left, right in
            let (first, second) = (Self.prominence(left.element), Self.prominence(right.element))
            return first == second ? left.offset < right.offset : first > second
        }
        return sorted.prefix(maxCount).map(\.element)
    }

    private static func prominence(_ box: DetectedBox) -> Double {
        Double(box.confidence) * box.frame.width * box.frame.height
    }
}
