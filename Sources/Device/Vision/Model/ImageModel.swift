import Foundation
import HearthConcurrency
import HearthImaging
import HearthModelFile
import HearthModelSource
import TensorFlowLite

/// A model that takes images, opened and ready to run. Labelers and detectors are built on it.
///
/// Use it from any thread. Images run one after another. Decode them before the call, so that decoding overlaps with
/// running.
final class ImageModel: Sendable {
    let bundle: ModelBundle
    let input: ImageInput
    /// The size of the input in pixels; nil where the model leaves it open. Then it differs between images.
    let inputSize: (width: Int, height: Int)?
    /// In the model's order, with the shapes that they have at the input's default size.
    let outputs: [ModelOutput]

    private let interpreter: Lock<Interpreter>

    /// The metadata of the subgraph that runs.
    var metadata: ModelMetadata.Subgraph? { bundle.metadata?.subgraphs.first }

    /// Opens a `.tflite` file, a bundle's folder, its manifest or its zip file. Blocks until the model is loaded, which
    /// takes milliseconds.
    /// - Throws: `ModelFileError`, `InterpreterError` or an error in ML Kit's domain, with the reason why the model
    ///   cannot be used.
    convenience init(path: String, labelsPath: String?, use: ModelTask, settings: ModelSettings) throws {
        let bundle = try ModelBundle(path: path, labelsPath: labelsPath, locale: settings.labelsLocale)
        try self.init(bundle, use: use, settings: settings)
    }

    /// Loads the model of an open bundle.
    init(_ bundle: ModelBundle, use: ModelTask, settings: ModelSettings) throws {
        self.bundle = bundle
        var options = Interpreter.Options()
        options.threadCount = settings.threadCount ?? ModelSettings.defaultThreadCount
        let interpreter = try Interpreter(model: bundle.model, options: options)
        // The model's task is checked after loading, because a copy that cannot be loaded must be rejected for other
        // labelers and detectors too.
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
        let image = try interpreter.inputDescription(at: 0)
        let size = try ImageInput.size(of: image)
        inputSize = open.count == 4 && (open[1] || open[2]) ? nil : size
        outputs = try (0..<interpreter.outputTensorCount).map { index in
            let known = metadata?.outputs ?? []
            return ModelOutput(
                index: index, description: try interpreter.outputDescription(at: index),
                metadata: known.indices.contains(index) ? known[index] : nil)
        }
        // Before the input's normalization, because nobody should add one to a model that is refused anyway.
        try use.checkOutputs(bundle, outputs, inputSize)
        input = try ImageInput(
            image, openDimensions: open, units: metadata?.inputs.first?.processUnits ?? [],
            placement: settings.placement, resampling: settings.resampling)
        self.interpreter = Lock(interpreter)
    }

    /// Lends the interpreter between two images, to inspect it or to fill inputs other than the image.
    func withInterpreter<Result: Sendable>(_ body: (Interpreter) throws -> Result) throws -> Result {
        try interpreter.withLock { try body($0) }
    }

    /// Runs the model on an image.
    /// - Parameters:
    ///   - region: The part to look at, in pixels of the upright original; nil for the whole image.
    ///   - watch: Measures the time to fill the input and run the model.
    ///   - read: Reads the outputs before the model can run on the next image. It also receives the mapping from the
    ///     input back to the upright original.
    func run<Result: Sendable>(
        on image: DecodedImage, region: PixelRect? = nil, watch: ModelRunObservation,
        read: (Interpreter, ImageMapping) throws -> Result
    ) throws -> Result {
        try interpreter.withLock { interpreter in
            let mapping = try watch.run(isFailure: { $0 is InterpreterError }) {
                let mapping = try input.write(image, region: region, to: interpreter)
                try interpreter.invoke()
                return mapping
            }
            return try read(interpreter, mapping)
        }
    }
}

/// The task that a model is opened for. It decides how many inputs the model may have, and the error texts.
struct ModelTask: Sendable {
    /// For error texts: what the model is not, for example "an image labeler".
    let name: String
    /// For error texts: the task that a bundle is not for.
    let purpose: String
    /// The `modelType` of an AutoML manifest. A manifest without one allows any task.
    let manifestType: String
    /// The number of inputs that the model may have. The first one is the image.
    let inputCounts: ClosedRange<Int>
    /// Throws when the outputs are not those of such a model. The input's size is nil where the model leaves it open.
    let checkOutputs: @Sendable (ModelBundle, [ModelOutput], _ inputSize: (width: Int, height: Int)?) throws -> Void

    static let imageLabeling = ModelTask(
        name: "an image labeler", purpose: "image labeling", manifestType: "IMAGE_LABELING", inputCounts: 1...1
    ) { bundle, outputs, _ in
        _ = try ScoreReader(LabelingModel.scores(of: bundle, outputs).output.description)
    }
}

extension ModelTask {
    /// The inputs are the image and the state that video models carry over from frame to frame.
    static let objectDetection = ModelTask(
        name: "an object detector", purpose: "object detection", manifestType: "OBJECT_DETECTION", inputCounts: 1...9
    ) { bundle, outputs, inputSize in
        _ = try DetectionLayoutFinder(bundle, outputs, inputSize).layout()
    }
}

/// How a labeler's or detector's model runs, as the app chooses it.
struct ModelSettings: Sendable {
    /// CPU threads for one run; nil for ``defaultThreadCount``.
    var threadCount: Int?
    /// How images are fitted to the proportions of the model's input.
    var placement = ImagePlacement.stretch
    /// How larger images are reduced to the input's size.
    var resampling = ImageResampling.antialiased
    /// The language of the display names, as the model's metadata writes it.
    var labelsLocale = "en"

    /// As many as there are processors, at most four, because small models gain nothing from more.
    static let defaultThreadCount = min(4, ProcessInfo.processInfo.activeProcessorCount)
}

/// One output of a model, with its metadata.
struct ModelOutput: Sendable {
    /// The output's index in the model.
    let index: Int
    let description: Tensor.Description
    /// nil when the model has no metadata, or none for this output.
    let metadata: ModelMetadata.Tensor?

    /// The threshold that the metadata states for the scores.
    var scoreThreshold: Float? {
        for case .scoreThresholding(let threshold) in metadata?.processUnits ?? [] { return threshold }
        return nil
    }
}
