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
    /// How images go in, and what says so.
    let found: InputFinder.Found
    let outputs: [ModelOutput]

    private let interpreter: Lock<Interpreter>

    /// - Parameter usual: How images go into such models, where the file does not say it.
    /// - Throws: When nothing says how images go in, or when what is stated contradicts the input.
    init(_ loaded: sending OpenedImageModel, usual: UsualInput, settings: ModelSettings) throws {
        bundle = loaded.bundle
        outputs = loaded.outputs
        found = try InputFinder(
            input: loaded.image, shape: loaded.shape, metadata: loaded.metadata?.inputs.first,
            firstOperators: FirstOperators(bundle.model), usual: usual, stated: settings.processing,
            packed: bundle.processing, placement: settings.placement
        ).find()
        input = try ImageInput(loaded.shape, found, resampling: settings.resampling)
        interpreter = Lock(loaded.interpreter)
    }

    /// Lends the interpreter between two images, to inspect it or to fill inputs other than the image.
    func withInterpreter<Result: Sendable>(_ body: (Interpreter) throws -> Result) throws -> Result {
        try interpreter.withLock { try body($0) }
    }

    /// Runs the model on an image.
    /// - Parameters:
    ///   - region: The part to look at, in pixels of the upright original; nil for the whole image.
    ///   - watch: Measures the time to fill the input and run the model.
    ///   - read: Reads the outputs before the model can run on the next image. It also receives how the image was
    ///     written into the input.
    func run<Result: Sendable>(
        on image: DecodedImage, region: PixelRect? = nil, watch: ModelRunObservation,
        read: (Interpreter, ImageInput.Written) throws -> Result
    ) throws -> Result {
        try interpreter.withLock { interpreter in
            let written = try watch.run(isFailure: { $0 is InterpreterError }) {
                let written = try input.write(image, region: region, to: interpreter)
                try interpreter.invoke()
                return written
            }
            return try read(interpreter, written)
        }
    }
}
