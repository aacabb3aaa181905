import Foundation
import HearthImaging
import HearthModelFile
import HearthModelSource
import TensorFlowLite

/// A detection model, ready to run: it takes an image and returns boxes. Use it from any thread.
final class DetectionModel: Sendable {
    /// The score threshold of the model's metadata.
    let metadataThreshold: Float?

    private let labels: DetectionLabels
    private let model: ImageModel
    private let reader: DetectionReader
    private let recurrent: RecurrentInputs

    /// Label files beside the model, when there are several candidates and so none was used.
    var ambiguousLabelFiles: [String] { model.bundle.ambiguousLabelFiles }

    /// Opens a `.tflite` file (plain or packed), a bundle's folder or its zip file.
    convenience init(path: String, labelsPath: String?, options: BoxDetectorOptions) throws {
        let model = try ImageModel(
            path: path, labelsPath: labelsPath, use: .objectDetection, settings: options.settings)
        try self.init(model, options: options)
    }

    init(_ model: ImageModel, options: BoxDetectorOptions) throws {
        self.model = model
        let finder = try DetectionLayoutFinder(model.bundle, model.outputs, model.inputSize)
        let layout = try finder.layout()
        labels = try DetectionLabels(
            model.bundle.labels, Self.classCount(layout, finder.postProcess), offset: options.labelOffset)
        metadataThreshold = model.outputs[layout.scores].scoreThreshold
        reader = DetectionReader(
            layout: layout, threshold: options.validThreshold ?? metadataThreshold ?? 0,
            maxCount: [options.maxBoxCount, finder.export?.maxDetections ?? 0].filter { $0 > 0 }.min(),
            suppression: NonMaximumSuppression(overlapThreshold: Double(options.overlapThreshold)),
            hasBackgroundClass: labels.hasBackgroundClass,
            calibration: try model.bundle.scoreCalibration(ofOutput: layout.scores, labels: model.bundle.labels),
            labelOffset: labels.offset)
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
        try model.run(on: image, region: region, watch: watch) { interpreter, mapping in
            try recurrent.carryOver(interpreter)
            let frames = FrameMapping(mapping, imageSize: image.uprightSize)
            let numbers = try DetectionReader.Numbers(interpreter, reader.layout)
            let boxes = reader.boxes(numbers)
            watch.found(boxes.map(\.score).max())
            let range = reader.scoreRange(numbers, of: boxes)
            return body(boxes.compactMap { detectedBox($0, frames, range) })
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
        switch layout.choice {
        case .postprocessed: postProcess?.classCount.map { .perBox($0) } ?? .unknown
        case .raw(_, let classCount): .perAnchor(classCount)
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
