import Foundation
import HearthImaging
import HearthModelFile
import HearthModelSource
import TensorFlowLite

/// A detection model, ready to run: it takes an image and returns boxes. Use it from any thread.
final class DetectionModel: Sendable {
    /// The score threshold of the model's file.
    let metadataThreshold: Float?
    /// How images go in and boxes come out, and what says so.
    let description: ModelDescription

    /// Where the numbers of the boxes are.
    var layout: DetectionLayout { reader.layout }

    /// The labels of the classes from 0; nil where there are none.
    var labelNames: [String]? { labels.names }

    private let labels: DetectionLabels
    private let model: ImageModel
    private let reader: DetectionReader
    private let recurrent: RecurrentInputs

    /// Label files beside the model, when there are several candidates and so none was used.
    var ambiguousLabelFiles: [String] { model.bundle.ambiguousLabelFiles }

    /// Opens a `.tflite` file (plain or packed), a bundle's folder or its zip file.
    convenience init(path: String, labelsPath: String?, options: BoxDetectorOptions) throws {
        try self.init(
            ModelBundle(path: path, labelsPath: labelsPath, locale: options.labelsLocale), options: options)
    }

    init(_ bundle: ModelBundle, options: BoxDetectorOptions) throws {
        let loaded = try OpenedImageModel(bundle, use: .objectDetection, settings: options.settings)
        let finder = try DetectionLayoutFinder(
            bundle, loaded.outputs, loaded.inputSize, stated: options.processing)
        // Before the input's normalization, because nobody should state one for a model that is refused anyway.
        let found = try finder.find()
        model = try ImageModel(
            loaded, usual: UsualInput(of: found, inputSide: loaded.inputSize?.width), settings: options.settings)
        labels = try DetectionLabels(
            bundle.labels, Self.classCount(found.layout, finder.postProcess), offset: options.labelOffset)
        let stated = options.processing.completed(by: bundle.processing)
        metadataThreshold = stated.scoreThreshold ?? model.outputs[found.layout.scoreOutput].scoreThreshold
        var layout = found.layout
        if let overlap = options.overlapThreshold ?? stated.overlapThreshold {
            layout.suppression.overlapThreshold = Double(overlap)
        }
        reader = DetectionReader(
            layout: layout,
            threshold: options.validThreshold ?? metadataThreshold ?? options.defaultThreshold
                ?? layout.usualThreshold ?? 0,
            maxCount: [options.maxBoxCount, finder.export?.maxDetections ?? 0].filter { $0 > 0 }.min(),
            hasBackgroundClass: labels.hasBackgroundClass,
            calibration: try bundle.scoreCalibration(ofOutput: layout.scoreOutput, labels: bundle.labels),
            labelOffset: labels.offset)
        description = ModelDescription(model, found, labels)
        recurrent = try model.withInterpreter { try RecurrentInputs($0, taken: layout.outputs) }
        try resetState()
    }

    /// The size to decode an image for; nil for all its pixels. Detectors need fewer pixels than labelers: over the
    /// photos tried, no object was lost and scores changed by at most 0.012.
    func decodeTarget(region: PixelRect?) -> DecodeTarget? {
        model.input.decodeTarget(region: region, cover: 1)
    }

    /// Finds the boxes of one image that have an area inside it.
    /// - Parameter body: Called with the boxes before the model can run on the next image, so that frames stay in their
    ///   order.
    func run<Result: Sendable>(
        on image: DecodedImage, region: PixelRect? = nil, watch: ModelRunObservation,
        _ body: ([DetectedBox]) -> Result
    ) throws -> Result {
        try model.run(on: image, region: region, watch: watch) { interpreter, input in
            try recurrent.carryOver(interpreter)
            let frames = FrameMapping(input.mapping, imageSize: image.uprightSize)
            let numbers = try OutputNumbers(interpreter, reader.layout.outputs)
            let found = try reader.result(numbers, inputSize: input.size)
            watch.found(found.boxes.map(\.score).max())
            return body(found.boxes.compactMap { detectedBox($0, frames, found.range) })
        }
    }

    private func detectedBox(_ box: ScoredBox, _ frames: FrameMapping, _ range: ScoreRange) -> DetectedBox? {
        let whole = frames.frame(of: box.box)
        return frames.clipped(whole).map { clipped in
            DetectedBox(
                frame: clipped, unclippedFrame: whole, text: labels.text(ofClass: box.classIndex),
                index: box.classIndex, confidence: box.score, scoreRange: range)
        }
    }

    /// Forgets what a video model remembers of earlier frames.
    func resetState() throws {
        try model.withInterpreter { interpreter in
            try interpreter.resetVariableTensors()
            try recurrent.reset(interpreter)
        }
    }

    private static func classCount(
        _ layout: DetectionLayout, _ postProcess: DetectionPostProcess?
    ) -> DetectionLabels.ClassCount {
        switch layout.form {
        case .selected:
            return postProcess?.classCount.map { .perBox($0) } ?? .unknown
        // Places of YOLO networks and cells of a grid have no score for the background.
        case .grid(_, _, _, let classCount): return .perBox(classCount - 1)
        case .scored(_, _, _, let classCount):
            switch layout.name {
            case .yolov5, .yolox, .yolov8: return .perBox(classCount)
            default: return .perAnchor(classCount)
            }
        }
    }
}

/// Turns boxes, as shares of a model's input, into frames in pixels of the upright original. Free of side effects.
struct FrameMapping {
    private let mapping: ImageMapping
    private let image: CGRect

    init(_ mapping: ImageMapping, imageSize: (width: Int, height: Int)) {
        self.mapping = mapping
        image = CGRect(x: 0, y: 0, width: Double(imageSize.width), height: Double(imageSize.height))
    }

    /// The frame before clipping.
    func frame(of box: Box) -> CGRect {
        let left = mapping.x(Double(box.left))
        let top = mapping.y(Double(box.top))
        return CGRect(
            x: left, y: top, width: mapping.x(Double(box.right)) - left, height: mapping.y(Double(box.bottom)) - top)
    }

    /// The part of a frame inside the image; nil when that part has no area.
    func clipped(_ frame: CGRect) -> CGRect? {
        let visible = frame.intersection(image)
        return visible.width > 0 && visible.height > 0 ? visible : nil
    }
}
