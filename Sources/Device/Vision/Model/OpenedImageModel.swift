import Foundation
import HearthImaging
import HearthModelFile
import TensorFlowLite

/// A model in the engine whose input takes an image. How images go in is found afterwards, because it depends on what
/// the outputs are.
struct OpenedImageModel {
    let bundle: ModelBundle
    let interpreter: Interpreter
    /// The image input.
    let image: Tensor.Description
    let shape: ImageInputShape
    /// In the model's order, with the shapes that they have at the input's default size.
    let outputs: [ModelOutput]

    /// The metadata of the subgraph that runs.
    var metadata: ModelMetadata.Subgraph? { bundle.metadata?.subgraphs.first }

    /// The size of the input in pixels; nil where the model leaves it open.
    var inputSize: (width: Int, height: Int)? { shape.hasOpenSize ? nil : (shape.width, shape.height) }

    /// Loads the model of an open bundle. Blocks until it is loaded, which takes milliseconds.
    /// - Throws: `ModelFileError`, `InterpreterError` or an error in ML Kit's domain, with the reason why the model
    ///   cannot be used.
    init(_ bundle: ModelBundle, use: ModelTask, settings: ModelSettings) throws {
        self.bundle = bundle
        var options = Interpreter.Options()
        options.threadCount = settings.threadCount ?? ModelSettings.defaultThreadCount
        interpreter = try Interpreter(model: bundle.model, options: options)
        // The model's task is checked after loading, because a copy that cannot be loaded must be rejected for other
        // uses too.
        try use.check(bundle, interpreter)
        let metadata = bundle.metadata?.subgraphs.first
        let open = try DefaultInputSize(bundle.model.graph, metadata?.inputs.first).apply(to: interpreter)
        try interpreter.allocateTensors()
        image = try interpreter.inputDescription(at: 0)
        shape = try ImageInput.shape(of: image, open: open)
        let names = bundle.model.graph.outputNames
        outputs = try (0..<interpreter.outputTensorCount).map { [interpreter] index in
            let known = metadata?.outputs ?? []
            return ModelOutput(
                index: index, description: try interpreter.outputDescription(at: index),
                signatureName: names.indices.contains(index) ? names[index] : nil,
                metadata: known.indices.contains(index) ? known[index] : nil)
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

    static let imageLabeling = ModelTask(
        name: "an image labeler", purpose: "image labeling", manifestType: "IMAGE_LABELING", inputCounts: 1...1)

    /// The inputs are the image and the state that video models carry over from frame to frame.
    static let objectDetection = ModelTask(
        name: "an object detector", purpose: "object detection", manifestType: "OBJECT_DETECTION", inputCounts: 1...9)

    /// - Throws: When the model cannot be for this task.
    func check(_ bundle: ModelBundle, _ interpreter: Interpreter) throws {
        if let type = bundle.manifest?.modelType, type != manifestType {
            throw VisionError.make(.failedPrecondition, "The bundle is for \(type), not for \(purpose).")
        }
        guard inputCounts.contains(interpreter.inputTensorCount), interpreter.outputTensorCount >= 1 else {
            throw VisionError.make(
                .failedPrecondition,
                """
                The model is not \(name): it has \(interpreter.inputTensorCount) inputs and \
                \(interpreter.outputTensorCount) outputs.
                """)
        }
    }
}

/// How a labeler's or detector's model runs, as the app chooses it.
struct ModelSettings: Sendable {
    /// CPU threads for one run; nil for ``defaultThreadCount``.
    var threadCount: Int?
    /// How images are fitted to the proportions of the model's input; nil for the model's own way.
    var placement: ImagePlacement?
    /// How larger images are reduced to the input's size.
    var resampling = ImageResampling.antialiased
    /// The language of the display names, as the model's metadata writes it.
    var labelsLocale = "en"
    /// What the app states about images and outputs.
    var processing = ImageProcessing()

    /// As many as there are processors, at most four, because small models gain nothing from more.
    static let defaultThreadCount = min(4, ProcessInfo.processInfo.activeProcessorCount)
}

/// One output of a model, with its metadata.
struct ModelOutput: Sendable {
    /// The output's index in the model.
    let index: Int
    let description: Tensor.Description
    /// The name in the model's signature; nil without a signature.
    let signatureName: String?
    /// nil when the model has no metadata, or none for this output.
    let metadata: ModelMetadata.Tensor?

    /// The threshold that the metadata states for the scores.
    var scoreThreshold: Float? {
        for case .scoreThresholding(let threshold) in metadata?.processUnits ?? [] { return threshold }
        return nil
    }
}

extension ModelGraph {
    /// The names that the signature of the main subgraph gives its outputs, in the model's order.
    fileprivate var outputNames: [String?] {
        let named = signatures.first { $0.subgraph == 0 }?.outputs ?? []
        return (subgraphs.first?.outputs ?? []).map { tensor in named.first { $0.tensor == tensor }?.name }
    }
}
