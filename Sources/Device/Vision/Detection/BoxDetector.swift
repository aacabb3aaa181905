public import Dispatch
import Foundation
import HearthConcurrency
public import HearthImaging
public import HearthModelSource

/// Finds every box that a detection model sees in an image.
///
/// ```swift
/// let detector = try BoxDetector(model: LocalModel(path: path))
/// for box in try detector.boxes(in: VisionImage(contentsOfFile: "photo.jpg")) {
///     print(box.text, box.confidence, box.frame)
/// }
/// ```
///
/// The model takes one image, `[1, height, width, channels]` or `[1, channels, height, width]`, with 1, 3 or 4 channels, as
/// float32 or as integers of 8 to 64 bits. Its outputs have one of the forms of `BoxLayout`. Where the reader selects
/// among the boxes, the best class of each place counts, and of overlapping boxes of one class only the best is kept.
///
/// How an image goes in and what comes out is, in this order: what ``BoxDetectorOptions/processing`` states; what the file
/// states; what the model's operators, metadata and names say; and what is usual for such a model. The detector refuses
/// a model of which nothing says which values the input takes, or which output holds what. The error says what to state.
/// Where only the shape of the output tells the layout, the numbers of each run must confirm it. A run that does not is an
/// error.
///
/// Other inputs are the state of a video model. Each of them receives what the matching output held after the image
/// before; the state before the first image is zero.
///
/// Boxes come in the model's order, or with the highest score first where the reader selects. Boxes whose score is
/// not *above* the threshold are left out, and so are boxes without area inside the image and boxes with impossible
/// numbers.
///
/// Use it from any thread. The model runs on one image at a time, while the next image is decoded. Errors are
/// `NSError`s in the domain `com.google.mlkit`, like those of ``ImageLabeler``.
public final class BoxDetector: Sendable {
    private let current: CurrentModel<DetectionModel>
    /// nil when objects are not tracked.
    private let tracker: Lock<BoxTracker?>
    private let pipeline = ImagePipeline()
    private let mutableQueue = Lock<DispatchQueue>(.main)

    /// The queue for the completions of `process(_:region:completion:)`; the main queue by default.
    public var callbackQueue: DispatchQueue {
        get { mutableQueue.withLock { $0 } }
        set { mutableQueue.withLock { $0 = newValue } }
    }

    /// Loads the model. Blocks until it is loaded, which takes milliseconds.
    /// - Parameters:
    ///   - model: A `.tflite` file (plain or packed), a bundle's folder or its zip file.
    ///   - options: Thresholds, limits and how images are prepared. The detector keeps a copy.
    /// - Throws: `NSError` when the model cannot be read or run, or when it is not a detection model of a known layout.
    public convenience init(model: LocalModel, options: BoxDetectorOptions = BoxDetectorOptions()) throws {
        self.init(ModelPlace(model), options)
        try checkModel()
    }

    /// Creates a detector that uses the newest copy of a remote model on this device.
    ///
    /// While there is no copy, detecting reports `notFound` (code 5) and starts the download. When a newer copy
    /// arrives, the detector uses it from the next image on.
    /// - Parameters:
    ///   - remoteModel: The model, by the name under which it was published.
    ///   - options: Thresholds, limits and how images are prepared. The detector keeps a copy.
    public convenience init(remoteModel: CustomRemoteModel, options: BoxDetectorOptions = BoxDetectorOptions()) {
        self.init(ModelPlace(remoteModel), options)
    }

    init(_ place: ModelPlace, _ options: BoxDetectorOptions) {
        current = CurrentModel(place) { path, labelsPath in
            try DetectionModel(path: path, labelsPath: labelsPath, options: options)
        }
        tracker = Lock(options.tracksObjects ? BoxTracker() : nil)
    }

    /// Throws the error that every call would report: the reason why there is no usable model.
    public func checkModel() throws {
        _ = try current.model()
    }

    /// Label files beside the model, when there are several candidates and so none was used.
    /// - Throws: The reason why there is no usable model.
    package func ambiguousLabelFiles() throws -> [String] {
        try current.model().ambiguousLabelFiles
    }

    // MARK: Detecting

    /// Finds the boxes of one image on the calling thread. Blocks, so do not call it on Swift's cooperative thread
    /// pool.
    /// - Parameters:
    ///   - image: A `VisionImage` or `MLImage`.
    ///   - region: The part to look at, in pixels of the upright original; nil for the whole image. Boxes are in pixels
    ///     of the whole image in both cases.
    /// - Throws: `NSError` when there is no usable model, or when the image cannot be read.
    public func boxes(in image: any MLKitCompatibleImage, region: PixelRect? = nil) throws -> [DetectedBox] {
        try boxes(in: prepared(imageSource(image), region), region).get()
    }

    /// Finds the objects in an image or a region of it, on another thread, for async code. Images are handled in the
    /// order of the calls. It does not use the callback queue.
    public func process(
        _ image: any MLKitCompatibleImage, region: PixelRect? = nil
    ) async throws -> [DetectedBox] {
        let image = try imageSource(image)
        return try await withCheckedThrowingContinuation { continuation in
            submit(image, region) { continuation.resume(with: $0) }
        }
    }

    /// Finds the objects in an image or a region of it, on another thread. Completions are called in the order of the
    /// calls; exactly one of their arguments is nil.
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

    /// Forgets earlier images: the state of a video model, and the tracked objects. Call it before the next video.
    public func resetState() throws {
        do {
            try current.model().resetState()
            tracker.withLock { $0?.reset() }
        } catch {
            throw VisionError.wrap(error)
        }
    }

    // MARK: Steps

    /// An image, decoded for the model that will run on it.
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
