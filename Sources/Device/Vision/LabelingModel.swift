import HearthImaging
import HearthModelFile
import TensorFlowLite

/// A labeling model ready to run: picture in, scores out. One thread at a time, like its interpreter.
final class LabelingModel {
    let labels: LabelMap?
    /// The score threshold of the model's metadata.
    let threshold: Float?

    private let interpreter: Interpreter
    private let writer: ImageTensorWriter
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
        writer = try Self.writer(
            for: try interpreter.inputDescription(at: 0), units: graph?.inputs.first?.processUnits ?? [])
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
    func scores(of image: DecodedImage) throws -> [Float] {
        try interpreter.withUnsafeMutableInputBytes(at: 0) { try writer.write(image, into: $0) }
        try interpreter.invoke()
        return try interpreter.withUnsafeOutputBytes(at: 0) { reader.scores($0) }
    }

    private static func writer(
        for input: Tensor.Description, units: [ModelMetadata.ProcessUnit]
    ) throws -> ImageTensorWriter {
        let dimensions = input.shape.dimensions
        guard dimensions.count == 4, dimensions[0] == 1, dimensions[3] == 3 else {
            throw VisionError.make(
                .failedPrecondition,
                """
                The model does not take pictures: its input '\(input.name)' has the shape \(dimensions), not \
                [1, height, width, 3].
                """)
        }
        return try ImageTensorWriter(
            width: dimensions[2], height: dimensions[1], format: try format(of: input, units))
    }

    /// Quantized inputs take the bytes as they are, whatever the metadata says of normalization.
    private static func format(
        of input: Tensor.Description, _ units: [ModelMetadata.ProcessUnit]
    ) throws -> TensorImageFormat {
        switch input.dataType {
        case .uInt8: return .uint8
        case .int8: return .int8
        case .float32:
            for case .normalization(let mean, let deviation) in units {
                return .float32(mean: mean, std: deviation)
            }
            throw VisionError.make(
                .failedPrecondition,
                """
                Failed to initialize detector. Input tensor has type kTfLiteFloat32: it requires specifying \
                NormalizationOptions metadata to preprocess input images.
                """)
        default:
            throw VisionError.make(
                .failedPrecondition, "The model's input '\(input.name)' holds \(input.dataType) values, not a picture.")
        }
    }

    private static func threshold(_ units: [ModelMetadata.ProcessUnit]) -> Float? {
        for case .scoreThresholding(let threshold) in units { return threshold }
        return nil
    }
}
