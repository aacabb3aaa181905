import HearthImaging
import HearthModelFile
import TensorFlowLite

/// A labeling model ready to run: picture in, scores out. One thread at a time, like its interpreter.
final class LabelingModel {
    let labels: LabelMap?
    /// The score threshold of the model's metadata.
    let threshold: Float?

    private let interpreter: Interpreter
    private let input: PictureInput
    private let reader: ScoreReader

    /// Opens a `.tflite` file, a bundle's folder or its zip.
    init(path: String, labelsPath: String?) throws {
        let bundle = try ModelBundle(path: path, labelsPath: labelsPath)
        if let type = bundle.manifest?.modelType, type != "IMAGE_LABELING" {
            throw VisionError.make(.failedPrecondition, "The bundle is for \(type), not for image labeling.")
        }
        interpreter = try Interpreter(model: bundle.model)
        try interpreter.allocateTensors()
        guard interpreter.inputTensorCount == 1, interpreter.outputTensorCount >= 1 else {
            throw VisionError.make(
                .failedPrecondition,
                """
                The model is not an image labeler: it has \(interpreter.inputTensorCount) inputs and \
                \(interpreter.outputTensorCount) outputs.
                """)
        }
        let graph = bundle.metadata?.subgraphs.first
        input = try PictureInput(
            try interpreter.inputDescription(at: 0), units: graph?.inputs.first?.processUnits ?? [])
        reader = try ScoreReader(try interpreter.outputDescription(at: 0))
        labels = bundle.labels
        threshold = Self.threshold(graph?.outputs.first?.processUnits ?? [])
        if let labels, labels.count != reader.count {
            throw VisionError.make(
                .failedPrecondition,
                "The model gives \(reader.count) scores, but its label file has \(labels.count) lines.")
        }
    }

    /// Scores of one picture, in the order of the labels.
    func scores(of image: VisionImage) throws -> [Float] {
        let picture = try image.picture(covering: input.writer.decodeTarget())
        try interpreter.withUnsafeMutableInputBytes(at: 0) { _ = try input.writer.write(picture, into: $0) }
        try interpreter.invoke()
        return try interpreter.withUnsafeOutputBytes(at: 0) { reader.scores($0) }
    }

    private static func threshold(_ units: [ModelMetadata.ProcessUnit]) -> Float? {
        for case .scoreThresholding(let threshold) in units { return threshold }
        return nil
    }
}
