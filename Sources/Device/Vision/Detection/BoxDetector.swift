public import Dispatch
public import Foundation
import HearthConcurrency
public import HearthImaging
public import HearthModelSource
import Synchronization

/// Finds every box that a detection model sees in an image.
///
/// ```swift
/// let detector = try BoxDetector(model: LocalModel(path: path))
/// for box in try detector.boxes(in: VisionImage(contentsOfFile: "photo.jpg")) {
///     print(box.text, box.confidence, box.frame)
/// }
/// ```
///
/// Model: one image in, `[1, height, width, 3]` RGB as uint8, int8 or float32 (float32 needs normalization parameters
/// in the model's metadata). Out, told apart by the operator `TFLite_Detection_PostProcess`, by AutoML's
/// `tflite_metadata.json`, by the TensorFlow Lite metadata or by their shapes, either
/// - boxes `[1, N, 4]`, classes `[1, N]`, scores `[1, N]` and, unless all N count, a count; or
/// - boxes `[1, N, 4]` and scores `[1, N, classes]` that the metadata describes; the best class of each place counts, and
///   of boxes of one class that overlap only the best is kept.
///
/// Other inputs are the state of a video model: each gets what the matching output held after the image before, zero at
/// first.
///
/// Boxes come in the model's order (of the second kind: highest score first), without those whose score is not *above*
/// the threshold. A box without area inside the image is dropped, as is one with numbers that cannot be.
///
/// Use it from any thread: models run one image at a time, and decoding of the next overlaps with that. Errors are
/// `NSError`s in the domain `com.google.mlkit`, as those of ``ImageLabeler``.
public final class BoxDetector: Sendable {
    private let current: CurrentModel<DetectionModel>
    /// nil unless things are tracked.
    private let tracker: Mutex<BoxTracker?>
    private let pipeline = ImagePipeline()
    private let mutableQueue = Mutex<DispatchQueue>(.main)

    /// Where `process(_:region:completion:)` calls back; the main queue by default.
    public var callbackQueue: DispatchQueue {
        get { mutableQueue.withLock { $0 } }
        set { mutableQueue.withLock { $0 = newValue } }
    }

    /// Loads the model; blocks for the milliseconds that takes.
    /// - Parameter model: A `.tflite` file (plain or packed), a bundle's folder or its zip.
    /// - Throws: `NSError` when the model cannot be read or run, or is no detection model of a known layout.
    public convenience init(model: LocalModel, options: BoxDetectorOptions = BoxDetectorOptions()) throws {
        self.init(ModelPlace(model), options)
        try checkModel()
    }

    /// A detector with the newest copy on this device of a model that lies on a server. While there is none, detecting
    /// reports `notFound` (code 5) and has it fetched; when a newer copy arrives, the next image goes to that.
    public convenience init(remoteModel: CustomRemoteModel, options: BoxDetectorOptions = BoxDetectorOptions()) {
        self.init(ModelPlace(remoteModel), options)
    }

    init(_ place: ModelPlace, _ options: BoxDetectorOptions) {
        current = CurrentModel(place) { path, labelsPath in
            try DetectionModel(path: path, labelsPath: labelsPath, options: options)
        }
        tracker = Mutex(options.tracksObjects ? BoxTracker() : nil)
    }

    /// Throws the error that every call would report: why there is no usable model.
    public func checkModel() throws {
        _ = try current.model()
    }

    // MARK: Detecting

    /// The boxes of one image, found on the calling thread. Blocks: not for Swift's cooperative pool.
    /// - Parameters:
    ///   - image: A `VisionImage` or `MLImage`.
    ///   - region: The part to look at, in pixels of the upright original; nil for all of it. Boxes are in pixels of the
    ///     whole image all the same.
    public func boxes(in image: any MLKitCompatibleImage, region: PixelRect? = nil) throws -> [DetectedBox] {
        try boxes(in: prepared(imageSource(image), region), region).get()
    }

    /// The same for async code, in the order of the calls; returns off the callback queue.
    public func process(
        _ image: any MLKitCompatibleImage, region: PixelRect? = nil
    ) async throws -> [DetectedBox] {
        let image = try imageSource(image)
        return try await withCheckedThrowingContinuation { continuation in
            submit(image, region) { continuation.resume(with: $0) }
        }
    }

    /// The same with a completion, in the order of the calls; exactly one of its arguments is nil.
    public func process(
        _ image: any MLKitCompatibleImage, region: PixelRect? = nil,
        completion: @escaping ([DetectedBox]?, (any Error)?) -> Void
    ) {
        let callback = Callback<Result<[DetectedBox], NSError>>(completion: completion)
        do {
            submit(try imageSource(image), region) { [self] in callback.call(with: $0, on: callbackQueue) }
        } catch {
            callback.call(with: .failure(error), on: callbackQueue)
        }
    }

    /// Forgets earlier images: what a video model remembers of them, and what is being tracked. For the next video.
    public func resetState() throws {
        do {
            try current.model().resetState()
            tracker.withLock { $0?.reset() }
        } catch {
            throw VisionError.wrap(error)
        }
    }

    // MARK: Steps

    /// An image decoded for the model that it will go to.
    private struct Prepared: Sendable {
        let model: DetectionModel
        let decoded: DecodedImage
    }

    private func submit(
        _ image: any ImageSource, _ region: PixelRect?,
        completion: @escaping @Sendable (Result<[DetectedBox], NSError>) -> Void
    ) {
        pipeline.add {
            self.prepared(image, region)
        } then: {
            completion(self.boxes(in: $0, region))
        }
    }

    private func prepared(_ image: any ImageSource, _ region: PixelRect?) -> Result<Prepared, NSError> {
        Result {
            let model = try current.model()
            return Prepared(model: model, decoded: try image.decodedImage(covering: model.decodeTarget(region: region)))
        }.mapError(VisionError.wrap)
    }

    private func boxes(
        in prepared: Result<Prepared, NSError>, _ region: PixelRect?
    ) -> Result<[DetectedBox], NSError> {
        prepared.flatMap { prepared in
            Result {
                try prepared.model.run(on: prepared.decoded, region: region, watch: current.watch) { boxes in
                    tracker.withLock { $0?.tracked(boxes) } ?? boxes
                }
            }.mapError(VisionError.wrap)
        }
    }
}

/// One thing that a ``BoxDetector`` found in an image.
public struct DetectedBox: Sendable, Hashable {
    /// Where it is, in pixels of the upright original image with (0, 0) at the top left, cut off at the image's
    /// edges. Not rounded; never empty.
    public let frame: CGRect

    /// As ``frame``, but as the model gave it: it may reach beyond the image.
    public let unclippedFrame: CGRect

    /// The label's text; empty when the model names none for this class.
    public let text: String

    /// The class as the model numbers it, from 0.
    public let index: Int

    /// The model's score, usually 0...1.
    public let confidence: Float

    /// The same for the same thing from image to image; nil unless ``BoxDetectorOptions/tracksObjects`` is on.
    public internal(set) var trackingID: Int?
}

/// What a ``BoxDetector`` can be told. The defaults fit every model; a detector keeps a copy.
public struct BoxDetectorOptions: Sendable {
    /// Boxes whose score is not above it are dropped. nil, or not a number: what the model's metadata says, else 0. A
    /// negative one also lets through boxes with score 0, of which models with a fixed number of boxes may be full.
    public var scoreThreshold: Float?

    /// The most boxes to return, the first ones in the model's order; 0 or less for all.
    public var maxBoxCount = 0

    /// The language of the labels, as the model's metadata writes it, where it has several.
    public var labelsLocale = "en"

    /// The line of the label file, from 0, that names class 0; nil to work it out from the model: 0, or 1 where the file
    /// begins with a line for the background that the model's classes do not count.
    public var labelOffset: Int?

    /// CPU threads for one image; nil for as many as there are processors, four at most.
    public var threadCount: Int?

    /// How images are brought to the proportions of the model's input; nil for what detection models of TensorFlow Lite
    /// expect, `.stretch`.
    public var placement: ImagePlacement?

    /// How larger images are brought to the model's size; `.bilinear` for what ML Kit and the TensorFlow Lite Task Library
    /// do.
    public var resampling = ImageResampling.antialiased

    /// Above which overlap, as intersection over union (0...1), the lower of two boxes of one class is dropped. Only for
    /// models that leave this to whoever reads their outputs.
    public var overlapThreshold: Float = 0.5

    /// Whether boxes get a ``DetectedBox/trackingID`` that stays the same from image to image. For frames of one
    /// video, given in their order.
    public var tracksObjects = false

    public init() {}

    var settings: ModelSettings {
        ModelSettings(
            threadCount: threadCount, placement: placement ?? .stretch, resampling: resampling,
            labelsLocale: labelsLocale)
    }

    var validThreshold: Float? { scoreThreshold.flatMap { $0.isNaN ? nil : $0 } }
}
