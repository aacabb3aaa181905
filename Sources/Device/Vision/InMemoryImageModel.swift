package import Foundation
package import HearthImaging
package import HearthModelFile
import HearthModelSource

/// A labeler or detector whose model is in memory, for a process that can open no file and start no thread.
///
/// Images run as they do in ``ImageLabeler`` and ``BoxDetector``, on the calling thread only.
package final class InMemoryImageModel: Sendable {
    /// One label, or one box with its label.
    package struct Answer: Sendable, Hashable {
        /// Empty when the model has no name for this index.
        package let text: String
        package let index: Int
        package let confidence: Float
        /// In pixels of the upright original; nil for a label of the whole image.
        package let frame: CGRect?
    }

    /// The labels of one output of a labeler that has several.
    package struct Output: Sendable, Hashable {
        /// Empty when the output has no name.
        package let name: String
        /// The highest confidence first.
        package let answers: [Answer]
    }

    /// What the model answered to one image, the highest confidence first.
    package struct Result: Sendable {
        package let answers: [Answer]
        /// All outputs in the model's order, for a labeler that has several; else empty.
        package let outputs: [Output]
        /// Of the upright original, in pixels.
        package let width: Int
        package let height: Int
        /// From the decoded image to the answers.
        package let runTime: Duration
    }

    private enum Kind: Sendable {
        case labeler(LabelingModel, LabelRanking)
        case detector(DetectionModel)
    }

    private let kind: Kind

    /// Without a threshold, boxes need a confidence above this one: models with a fixed number of boxes fill up with
    /// worse ones.
    private static let boxThreshold: Float = 0.5

    package var isDetector: Bool { description.isDetector }

    /// How images go in and what comes out.
    package var description: ModelDescription {
        switch kind {
        case .labeler(let model, _): model.description
        case .detector(let model): model.description
        }
    }

    /// What a model's first input takes, by its shape.
    package enum InputKind: Sendable {
        case image
        /// `[1, n, m]`: an image of one channel, or a sound or text.
        case imageOrOther
        case other
    }

    /// What the first input of a model takes, without loading it.
    package static func inputKind(of file: ModelFile) -> InputKind {
        guard let main = file.graph.subgraphs.first, ModelTask.objectDetection.inputCounts.contains(main.inputs.count),
            let first = main.inputs.first, main.tensors.indices.contains(first)
        else { return .other }
        let tensor = main.tensors[first]
        guard [.float32, .uint8, .int8, .int16, .int32, .int64].contains(tensor.type) else { return .other }
        let open = ImageInputShape.defaultShape(tensor.shapeSignature ?? [], width: 224, height: 224)
        let dimensions = open ?? tensor.shape
        guard let shape = ImageInputShape(dimensions) else { return .other }
        let isImage = (dimensions.count == 4 || shape.channelCount > 1) && min(shape.width, shape.height) > 1
        return isImage ? .image : .imageOrOther
    }

    /// - Parameters:
    ///   - bytes: a `.tflite` file, plain or packed.
    ///   - answerCount: the most labels or boxes of one image.
    ///   - threshold: the least confidence of an answer, 0 to 1; a box must be above it. nil for the one that
    ///     `processing` or the file's own image processing states, else 0.5 for boxes, and the threshold of the model's
    ///     metadata for labels.
    ///   - processing: what takes precedence over the file. With a layout, the model is a detector; with an activation and
    ///     none, a labeler.
    /// - Throws: if the model is neither a labeler nor a detector that Hearth can run. The text says why.
    package init(
        bytes: ModelBytes, answerCount: Int, threshold: Float? = nil, processing: ImageProcessing = ImageProcessing()
    ) throws {
        let bundle = try ModelBundle(bytes: bytes)
        var settings = ModelSettings(threadCount: 1)
        settings.processing = processing
        let stated = processing.completed(by: bundle.processing)
        do {
            kind = try LabelerOrDetector.open(bundle, stated: processing) {
                let model = try LabelingModel(bundle, settings: settings)
                let ranking = LabelRanking(
                    threshold: threshold ?? model.threshold ?? -.infinity, maxCount: answerCount)
                return .labeler(model, ranking)
            } detector: {
                var options = BoxDetectorOptions()
                options.threadCount = 1
                options.maxBoxCount = answerCount
                options.scoreThreshold = threshold ?? stated.scoreThreshold ?? Self.boxThreshold
                options.processing = processing
                return .detector(try DetectionModel(bundle, options: options))
            }
        } catch {
            throw VisionError.wrap(error)
        }
    }

    /// Decodes an image file and runs the model on it.
    /// - Throws: `NSError` when the image cannot be read, or the run fails.
    package func result(for data: Data, options: ImageDecodeOptions) throws -> Result {
        do {
            let decoded = try ImageDecoder.decode(data, options: options, covering: decodeTarget)
            let start = ContinuousClock.now
            let (answers, outputs) = try answers(for: decoded)
            return Result(
                answers: answers, outputs: outputs, width: decoded.uprightSize.width,
                height: decoded.uprightSize.height, runTime: ContinuousClock.now - start)
        } catch {
            throw VisionError.wrap(error)
        }
    }

    private var decodeTarget: DecodeTarget? {
        switch kind {
        case .labeler(let model, _): model.decodeTarget(region: nil)
        case .detector(let model): model.decodeTarget(region: nil)
        }
    }

    private func answers(for image: DecodedImage) throws -> (main: [Answer], outputs: [Output]) {
        switch kind {
        case .labeler(let model, let ranking):
            let outputs = try model.answers(for: image, region: nil, ranking, watch: .none).enumerated().map {
                head, answer in
                Output(
                    name: model.name(ofHead: head) ?? "",
                    answers: answer.entries.map { entry in
                        Answer(
                            text: model.text(of: entry.index, head: head), index: entry.index,
                            confidence: entry.score, frame: nil)
                    })
            }
            return (outputs[model.mainHead].answers, outputs.count > 1 ? outputs : [])
        case .detector(let model):
            // Each image stands alone, also for a video model.
            try model.resetState()
            let boxes = try model.run(on: image, watch: .none) { $0 }
            let answers = boxes.sorted { $0.confidence > $1.confidence }.map { box in
                Answer(text: box.text, index: box.index, confidence: box.confidence, frame: box.frame)
            }
            return (answers, [])
        }
    }
}
