import Foundation
import HearthImaging
import HearthModelFile
import HearthModelSource
import TensorFlowLite

/// A labeling model, ready to run: it takes an image and returns ranked scores. Use it from any thread.
///
/// Where only one head can count, it is the first one for which the metadata names labels, else the first of all, as with
/// ML Kit.
final class LabelingModel: Sendable {
    /// What one head returned for one image.
    struct Answer: Sendable {
        /// The scores that the ranking keeps.
        var entries: [LabelRanking.Entry] = []
        var range = ScoreRange()
    }

    /// One head, ready to be read.
    private struct Head: Sendable {
        let head: LabelHead
        let reader: ScoreReader
        let calibration: ScoreCalibration?
        /// Which labels may be returned; nil for all.
        let isAllowed: [Bool]?
    }

    /// The score threshold of the model's file.
    let threshold: Float?
    /// How images go in and labels come out, and what says so.
    let description: ModelDescription

    /// Label files beside the model, when there are several candidates and so none was used.
    var ambiguousLabelFiles: [String] { model.bundle.ambiguousLabelFiles }

    private let model: ImageModel
    private let heads: [Head]
    /// The head that counts where only one can.
    let mainHead: Int

    /// Opens a `.tflite` file, a bundle's folder or its zip file.
    convenience init(
        path: String, labelsPath: String?, filter: LabelFilter = LabelFilter(), settings: ModelSettings
    ) throws {
        let bundle = try ModelBundle(path: path, labelsPath: labelsPath, locale: settings.labelsLocale)
        try self.init(bundle, filter: filter, settings: settings)
    }

    init(_ bundle: ModelBundle, filter: LabelFilter = LabelFilter(), settings: ModelSettings) throws {
        let loaded = try OpenedImageModel(bundle, use: .imageLabeling, settings: settings)
        let processing = settings.processing.completed(by: bundle.processing)
        // Before the input's normalization, because nobody should state one for a model that is refused anyway.
        let found = try LabelHeadFinder(bundle: bundle, outputs: loaded.outputs, processing: processing).find()
        mainHead = found.main
        model = try ImageModel(
            loaded, usual: UsualInput(ofLabeler: bundle.model.graph, exporter: bundle.exporterDescription),
            settings: settings)
        let hasBoxes = Self.hasBoxes(model.outputs)
        heads = try found.heads.enumerated().map { place, head in
            let reader = try ScoreReader(head.output.description)
            if let labels = head.labels, labels.count != reader.count {
                throw VisionError.make(
                    .failedPrecondition,
                    "The model returns \(reader.count) scores, but its label file has \(labels.count) lines. "
                        + (hasBoxes
                            ? "It has boxes: use it as a detector."
                            : "Use a label file with one line for each score, in the order of the scores."))
            }
            let calibration = try bundle.scoreCalibration(ofOutput: head.output.index, labels: head.labels)
            return Head(
                head: head, reader: reader, calibration: calibration,
                isAllowed: place == found.main || head.labels != nil ? try filter.isAllowed(head.labels) : nil)
        }
        threshold = processing.scoreThreshold ?? found.heads[found.main].output.scoreThreshold
        description = ModelDescription(model, found.heads)
    }

    private static func hasBoxes(_ outputs: [ModelOutput]) -> Bool {
        outputs.contains { output in
            let dimensions = output.description.shape.dimensions
            return dimensions.count == 3 && dimensions.last == 4
        }
    }

    /// The size to decode an image for; nil for all its pixels.
    func decodeTarget(region: PixelRect?) -> DecodeTarget? {
        model.input.decodeTarget(region: region)
    }

    /// Runs the model on one image.
    /// - Returns: The answer of the main head.
    func answer(
        for image: DecodedImage, region: PixelRect?, _ ranking: LabelRanking, watch: ModelRunObservation
    ) throws -> Answer {
        try answers(for: image, region: region, ranking, of: mainHead..<mainHead + 1, watch: watch)[0]
    }

    /// Runs the model on one image.
    /// - Parameter wanted: The heads whose answers are returned, in their order; nil for all.
    func answers(
        for image: DecodedImage, region: PixelRect?, _ ranking: LabelRanking, of wanted: Range<Int>? = nil,
        watch: ModelRunObservation
    ) throws -> [Answer] {
        let wanted = wanted ?? heads.indices
        let scores = try model.run(on: image, region: region, watch: watch) { interpreter, _ in
            try heads[wanted].map { try $0.reader.scores(interpreter, $0.head.output.index) }
        }
        let answers = zip(heads[wanted], scores).map { head, scores in Self.answer(head, scores, ranking) }
        // The highest score of all labels, because an average over only those above the threshold would hide images
        // without any.
        let highest = answers[wanted.contains(mainHead) ? mainHead - wanted.lowerBound : 0].range.highest
        watch.found(highest.isFinite ? highest : nil)
        return answers
    }

    private static func answer(_ head: Head, _ numbers: [Float], _ ranking: LabelRanking) -> Answer {
        let scores =
            switch head.head.activation {
            case .none: numbers
            case .softmax: Probability.softmax(numbers)
            case .sigmoid: numbers.map(Probability.sigmoid)
            }
        var answer = Answer()
        answer.entries = ranking.entries(count: scores.count) { index in
            if let isAllowed = head.isAllowed, !isAllowed[index] { return .nan }
            let score = head.calibration?.score(scores[index], classIndex: index) ?? scores[index]
            answer.range.include(score)
            return score
        }
        return answer
    }

    var labelHeads: [LabelHead] { heads.map(\.head) }

    /// The name of a head; nil where the file has none.
    func name(ofHead head: Int) -> String? { heads[head].head.name }

    /// The display name in the chosen language, else the class name; empty when the model has no name.
    /// - Parameter head: nil for the main head.
    func text(of index: Int, head: Int? = nil) -> String {
        heads[head ?? mainHead].head.labels?.displayName(index) ?? ""
    }
}
