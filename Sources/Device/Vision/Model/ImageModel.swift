import Foundation
import HearthImaging
import HearthModelFile
import HearthModelSource
import Synchronization
import TensorFlowLite

/// A model that takes images, opened and ready to run: what labelers and detectors are made of.
///
/// Use it from any thread. Images run one after another; decode them before, so that decoding overlaps with running.
final class ImageModel: Sendable {
    let bundle: ModelBundle
    let input: ImageInput
    /// In the model's order, as they are at the input's usual size.
    let outputs: [ModelOutput]

    private let interpreter: Mutex<Interpreter>

    /// The metadata of the subgraph that runs.
    var metadata: ModelMetadata.Subgraph? { bundle.metadata?.subgraphs.first }

    /// Opens a `.tflite` file, a bundle's folder, its manifest or its zip. Blocks for the milliseconds that takes.
    /// - Throws: `ModelFileError`, `InterpreterError` or an error in ML Kit's domain: why the model cannot be used.
    init(path: String, labelsPath: String?, use: ModelTask, settings: ModelSettings) throws {
        bundle = try ModelBundle(path: path, labelsPath: labelsPath, locale: settings.labelsLocale)
        var options = Interpreter.Options()
        options.threadCount = settings.threadCount ?? ModelSettings.defaultThreadCount
        let interpreter = try Interpreter(model: bundle.model, options: options)
        // What the model is for is asked only now: whether it can be loaded at all matters to others as well.
        if let type = bundle.manifest?.modelType, type != use.manifestType {
            throw VisionError.make(.failedPrecondition, "The bundle is for \(type), not for \(use.purpose).")
        }
        guard use.inputCounts.contains(interpreter.inputTensorCount), interpreter.outputTensorCount >= 1 else {
            throw VisionError.make(
                .failedPrecondition,
                """
                The model is not \(use.name): it has \(interpreter.inputTensorCount) inputs and \
                \(interpreter.outputTensorCount) outputs.
                """)
        }
        let metadata = bundle.metadata?.subgraphs.first
        let open = try DefaultInputSize(bundle.model.graph, metadata?.inputs.first).apply(to: interpreter)
        try interpreter.allocateTensors()
        input = try ImageInput(
            try interpreter.inputDescription(at: 0), openDimensions: open,
            units: metadata?.inputs.first?.processUnits ?? [], placement: settings.placement,
            resampling: settings.resampling)
        outputs = try (0..<interpreter.outputTensorCount).map { index in
            let known = metadata?.outputs ?? []
            return ModelOutput(
                index: index, description: try interpreter.outputDescription(at: index),
                metadata: known.indices.contains(index) ? known[index] : nil)
        }
        self.interpreter = Mutex(interpreter)
    }

    /// Lends the interpreter between two images, to look at it or to fill inputs other than the image.
    func withInterpreter<Result: Sendable>(_ body: (Interpreter) throws -> Result) throws -> Result {
        try interpreter.withLock { try body($0) }
    }

    /// Runs the model on an image.
    /// - Parameters:
    ///   - region: The part to look at, in pixels of the upright original; nil for all of it.
    ///   - watch: Told how long it takes to fill the input and run.
    ///   - read: Takes what is needed from the outputs, before the next image may run; is also told the way back from
    ///     the input to the upright original.
    func run<Result: Sendable>(
        on image: DecodedImage, region: PixelRect? = nil, watch: ModelRunObservation,
        read: (Interpreter, ImageMapping) throws -> Result
    ) throws -> Result {
        try interpreter.withLock { interpreter in
            let mapping = try watch.run {
                let mapping = try input.write(image, region: region, to: interpreter)
                try interpreter.invoke()
                return mapping
            }
            return try read(interpreter, mapping)
        }
    }
}

/// What a model is opened for, which says what it must look like and how it is refused.
struct ModelTask: Sendable {
    /// For error texts: what the model is not.
    let name: String
    /// For error texts: what a bundle is not for.
    let purpose: String
    /// The `modelType` of an AutoML manifest; a manifest without one is for anything.
    let manifestType: String
    /// How many inputs it may have. The image is the first.
    let inputCounts: ClosedRange<Int>

    static let imageLabeling = ModelTask(
        name: "an image labeler", purpose: "image labeling", manifestType: "IMAGE_LABELING", inputCounts: 1...1)
}

extension ModelTask {
    /// The image, and the state that video models carry over from frame to frame.
    static let objectDetection = ModelTask(
        name: "an object detector", purpose: "object detection", manifestType: "OBJECT_DETECTION", inputCounts: 1...9)
}

/// What the users of labelers and detectors may choose about how their model runs.
struct ModelSettings: Sendable {
    /// CPU threads for one run; nil for the usual.
    var threadCount: Int?
    /// How images are brought to the proportions of the model's input.
    var placement = ImagePlacement.stretch
    /// How larger images are brought to the input's size.
    var resampling = ImageResampling.antialiased
    /// Language of the display names, as the model's metadata writes it.
    var labelsLocale = "en"

    /// As many as there are processors, four at most: small models gain nothing from more.
    static let defaultThreadCount = min(4, ProcessInfo.processInfo.activeProcessorCount)
}

/// One output of a model, with what the metadata says about it.
struct ModelOutput: Sendable {
    /// Its place among the model's outputs.
    let index: Int
    let description: Tensor.Description
    /// nil when the model has no metadata, or none for this output.
    let metadata: ModelMetadata.Tensor?

    /// The threshold below which the metadata's author drops scores.
    var scoreThreshold: Float? {
        for case .scoreThresholding(let threshold) in metadata?.processUnits ?? [] { return threshold }
        return nil
    }
}
