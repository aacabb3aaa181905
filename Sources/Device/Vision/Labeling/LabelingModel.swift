import Foundation
import HearthImaging
import HearthModelFile
import HearthModelSource
import TensorFlowLite

/// A labeling model, ready to run: it takes an image and returns ranked scores. Use it from any thread.
///
/// Of a model with several outputs, the first one for which the metadata names a label for each number holds the
/// scores. Without such labels it is the first of all, as with ML Kit.
final class LabelingModel: Sendable {
    /// What the model returned for one image.
    struct Answer: Sendable {
        /// The scores that the ranking keeps.
        var entries: [LabelRanking.Entry]
        var range: ScoreRange
    }

    /// The score threshold of the model's metadata.
    let threshold: Float?

    /// Label files beside the model, when there are several candidates and so none was used.
    var ambiguousLabelFiles: [String] { model.bundle.ambiguousLabelFiles }

    private let labels: LabelMap?
    private let model: ImageModel
    private let output: Int
    private let reader: ScoreReader
    private let calibration: ScoreCalibration?
    private let isAllowed: [Bool]?

    /// Opens a `.tflite` file, a bundle's folder or its zip file.
    convenience init(
        path: String, labelsPath: String?, filter: LabelFilter = LabelFilter(), settings: ModelSettings
    ) throws {
        let model = try ImageModel(path: path, labelsPath: labelsPath, use: .imageLabeling, settings: settings)
        try self.init(model, filter: filter)
    }

    init(_ model: ImageModel, filter: LabelFilter = LabelFilter()) throws {
        self.model = model
        let (scores, labels) = try Self.scores(of: model.bundle, model.outputs)
        output = scores.index
        reader = try ScoreReader(scores.description)
        self.labels = labels
        threshold = scores.scoreThreshold
        if let labels, labels.count != reader.count {
            throw VisionError.make(
                .failedPrecondition,
                "The model returns \(reader.count) scores, but its label file has \(labels.count) lines.")
        }
        calibration = try model.bundle.scoreCalibration(ofOutput: output, labels: labels)
        isAllowed = try filter.isAllowed(labels)
    }

    /// The output with the scores, and their labels.
    static func scores(
        of bundle: ModelBundle, _ outputs: [ModelOutput]
    ) throws -> (output: ModelOutput, labels: LabelMap?) {
        let (index, labels) = try bundle.labeledScores()
        return (outputs.indices.contains(index) ? outputs[index] : outputs[0], labels)
    }

    /// The size to decode an image for; nil for all its pixels.
    func decodeTarget(region: PixelRect?) -> DecodeTarget? {
        model.input.decodeTarget(region: region)
    }

    /// Runs the model on one image.
    func answer(
        for image: DecodedImage, region: PixelRect?, _ ranking: LabelRanking, watch: ModelRunObservation
    ) throws -> Answer {
        var range = ScoreRange()
        let entries = try model.run(on: image, region: region, watch: watch) { interpreter, _ in
            try interpreter.withUnsafeOutputBytes(at: output) { bytes in
                try reader.read(bytes) { score in
                    ranking.entries(count: reader.count) { index in
                        let score = finalScore(score(index), index)
                        range.include(score)
                        return score
                    }
                }
            }
        }
        // The highest score of all labels, because an average over only those above the threshold would hide images
        // without any.
        watch.found(range.highest.isFinite ? range.highest : nil)
        return Answer(entries: entries, range: range)
    }

    /// The display name in the chosen language, else the class name; empty when the model has no name.
    func text(of index: Int) -> String {
        labels?.displayName(index) ?? ""
    }

    /// The score to rank; NaN for labels that may not be returned.
    private func finalScore(_ score: Float, _ index: Int) -> Float {
        if let isAllowed, !isAllowed[index] { return .nan }
        return calibration?.score(score, classIndex: index) ?? score
    }
}
