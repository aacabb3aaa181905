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

    /// What the model answered to one image, the highest confidence first.
    package struct Result: Sendable {
        package let answers: [Answer]
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

    package var isDetector: Bool {
        if case .detector = kind { true } else { false }
    }

    /// - Parameters:
    ///   - bytes: a `.tflite` file, plain or packed.
    ///   - answerCount: the most labels or boxes of one image.
    ///   - threshold: the least confidence of an answer, 0 to 1; a box must be above it. nil for 0.5 for boxes, and for
    ///     the model's own threshold for labels.
    /// - Throws: if the model is neither a labeler nor a detector that Hearth can run. The text says why.
    package init(bytes: ModelBytes, answerCount: Int, threshold: Float? = nil) throws {
        let bundle = try ModelBundle(bytes: bytes)
        let settings = ModelSettings(threadCount: 1)
        func detector() throws -> Kind {
            var options = BoxDetectorOptions()
            options.threadCount = 1
            options.maxBoxCount = answerCount
            options.scoreThreshold = threshold ?? Self.boxThreshold
            return .detector(try DetectionModel(bundle, options: options))
        }
        func labeler() throws -> Kind {
            let model = try LabelingModel(bundle, settings: settings)
            let ranking = LabelRanking(
                threshold: threshold ?? model.threshold ?? -.infinity, maxCount: answerCount)
            return .labeler(model, ranking)
        }
        // The first output of a detection model may have the shape of a labeler's scores.
        let findsObjects: Bool
        do {
            findsObjects = try ObjectModel.findsObjects(bundle)
        } catch {
            throw VisionError.wrap(error)
        }
        do {
            kind = try findsObjects ? detector() : labeler()
        } catch let firstError {
            // A detection model that cannot be read is no labeler, unless the metadata names a label for each score.
            guard !findsObjects || bundle.hasLabeledScores else { throw VisionError.wrap(firstError) }
            do {
                kind = try findsObjects ? labeler() : detector()
            } catch let secondError {
                // A model with one output can only be meant as a labeler.
                let outputs = bundle.model.graph.subgraphs.first?.outputs.count ?? 0
                throw VisionError.wrap(findsObjects || outputs <= 1 ? firstError : secondError)
            }
        }
    }

    /// Decodes an image file and runs the model on it.
    /// - Throws: `NSError` when the image cannot be read, or the run fails.
    package func result(for data: Data, options: ImageDecodeOptions) throws -> Result {
        do {
            let decoded = try ImageDecoder.decode(data, options: options, covering: decodeTarget)
            let start = ContinuousClock.now
            let answers = try answers(for: decoded)
            return Result(
                answers: answers, width: decoded.uprightSize.width, height: decoded.uprightSize.height,
                runTime: ContinuousClock.now - start)
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

    private func answers(for image: DecodedImage) throws -> [Answer] {
        switch kind {
        case .labeler(let model, let ranking):
            return try model.answer(for: image, region: nil, ranking, watch: .none).entries.map { entry in
                Answer(text: model.text(of: entry.index), index: entry.index, confidence: entry.score, frame: nil)
            }
        case .detector(let model):
            // Each image stands alone, also for a video model.
            try model.resetState()
            let boxes = try model.run(on: image, watch: .none) { $0 }
            return boxes.sorted { $0.confidence > $1.confidence }.map { box in
                Answer(text: box.text, index: box.index, confidence: box.confidence, frame: box.frame)
            }
        }
    }
}
