public import Dispatch
public import Foundation
import HearthConcurrency
import HearthImaging
import HearthModelSource

/// The completion of ``ObjectDetector/process(_:completion:)``: the objects, or an error. Exactly one argument is nil.
public typealias ObjectDetectionCallback = ([Object]?, (any Error)?) -> Void

/// Finds up to five objects in an image, as ML Kit does. ``BoxDetector`` returns every box of a detection model.
///
/// Hearth has no built-in model, so the app's model decides what the detector finds:
/// - A **detection model** finds the objects itself. Objects are its boxes whose score is above the threshold of its
///   metadata, or above 0.5 without one. The most prominent object comes first, that is, the one with the highest
///   product of score and area. Its class is the object's only label.
/// - A **labeling model**, the kind that ML Kit's custom models are, cannot locate objects. The whole image is one
///   object with that model's labels. Pass an image, or a part of one, that shows one thing.
///
/// The detector returns one object unless the options ask for several. Objects have labels only with classification on,
/// and tracking ids only in stream mode. An empty list is a success.
///
/// Use it from any thread. The model runs on one image at a time, while the next image is decoded. A detector that
/// could not load its model reports the reason at each call. Errors are `NSError`s in the domain `com.google.mlkit`.
public final class ObjectDetector: NSObject, Sendable {
    private let current: CurrentModel<ObjectModel>
    private let request: ObjectModel.Request
    /// nil unless the detector is in stream mode.
    private let tracker: Lock<BoxTracker?>
    private let pipeline = ImagePipeline()
    private let mutableQueue = Lock<DispatchQueue>(.main)

    /// The queue for the completions of `process(_:completion:)`; the main queue by default.
    public var callbackQueue: DispatchQueue {
        get { mutableQueue.withLock { $0 } }
        set { mutableQueue.withLock { $0 = newValue } }
    }

    private init(_ options: CommonObjectDetectorOptions) {
        let custom = options as? CustomObjectDetectorOptions
        let wanted = custom?.maxPerObjectLabelCount ?? 0
        let labels = ObjectModel.Request.Labels(
            threshold: custom?.classificationThreshold,
            maxCount: wanted > 0 ? wanted : LabelRanking.defaultMaxCount)
        request = ObjectModel.Request(
            isMultiple: options.shouldEnableMultipleObjects,
            labels: options.shouldEnableClassification ? labels : nil)
        tracker = Lock(options.detectorMode == .stream ? BoxTracker() : nil)
        let settings = custom?.settings ?? ModelSettings()
        current = CurrentModel(custom?.place ?? .none) { path, labelsPath in
            try ObjectModel(path: path, labelsPath: labelsPath, settings: settings)
        }
        super.init()
    }

    /// Creates a detector with these options and loads its model. Blocks until the model is loaded, which takes
    /// milliseconds.
    public class func objectDetector(options: CommonObjectDetectorOptions) -> ObjectDetector {
        ObjectDetector(options)
    }

    /// Creates a detector with these options, like ``objectDetector(options:)``, for code without the argument label.
    public class func objectDetector(_ options: CommonObjectDetectorOptions) -> ObjectDetector {
        ObjectDetector(options)
    }

    /// Throws the error that every call would report: the reason why there is no usable model. Hearth's addition.
    public func checkModel() throws {
        _ = try current.model()
    }

    /// Finds the objects of one image on the calling thread. Blocks, so do not call it on Swift's cooperative thread
    /// pool.
    /// - Parameter image: A `VisionImage` or `MLImage`.
    /// - Throws: `NSError` when there is no usable model, or when the image cannot be read.
    public func results(in image: any MLKitCompatibleImage) throws -> [Object] {
        try objects(in: prepared(imageSource(image))).get()
    }

    /// Finds the objects of one image on another thread. Completions are called in the order of the calls; exactly one
    /// of their arguments is nil.
    public func process(_ image: any MLKitCompatibleImage, completion: @escaping ObjectDetectionCallback) {
        let callback = Callback<Result<[Object], NSError>>(completion: completion)
        do {
            submit(try imageSource(image)) { [self] in callback.call(with: $0, on: callbackQueue) }
        } catch {
            callback.call(with: .failure(error), on: callbackQueue)
        }
    }

    /// Finds the objects of one image on another thread, for async code. It does not use the callback queue.
    public func process(_ image: any MLKitCompatibleImage) async throws -> [Object] {
        let image = try imageSource(image)
        return try await withCheckedThrowingContinuation { continuation in
            submit(image) { continuation.resume(with: $0) }
        }
    }

    // MARK: Steps

    /// An image, decoded for the model that will run on it.
    private struct Prepared: Sendable {
        let model: ObjectModel
        let decoded: DecodedImage
    }

    private func submit(
        _ image: any ImageSource, completion: @escaping @Sendable (Result<[Object], NSError>) -> Void
    ) {
        pipeline.add {
            self.prepared(image)
        } then: {
            completion(self.objects(in: $0))
        }
    }

    private func prepared(_ image: any ImageSource) -> Result<Prepared, NSError> {
        Result {
            let model = try current.model()
            return Prepared(model: model, decoded: try image.decodedImage(covering: model.decodeTarget))
        }.mapError(VisionError.wrap)
    }

    private func objects(in prepared: Result<Prepared, NSError>) -> Result<[Object], NSError> {
        prepared.flatMap { prepared in
            Result {
                try prepared.model.run(on: prepared.decoded, request, watch: current.watch) { found in
                    let tracked = tracker.withLock { $0?.tracked(found.map(\.box)) }
                    return found.enumerated().map { index, object in
                        let identifier = tracked?[index].trackingID
                        return Object(
                            frame: object.box.frame, labels: object.labels,
                            trackingID: identifier.map { NSNumber(value: $0) })
                    }
                }
            }.mapError(VisionError.wrap)
        }
    }
}

/// One object that an ``ObjectDetector`` found in an image.
public final class Object: NSObject, Sendable {
    /// The place of the object, in pixels of the upright image with (0, 0) at the top left; inside the image.
    public let frame: CGRect

    /// The labels, highest confidence first; empty unless classification is on.
    public let labels: [ObjectLabel]

    /// Identifies the same object from frame to frame; nil unless the detector is in stream mode.
    public let trackingID: NSNumber?

    init(frame: CGRect, labels: [ObjectLabel], trackingID: NSNumber?) {
        self.frame = frame
        self.labels = labels
        self.trackingID = trackingID
    }

    public override var description: String {
        "\(frame) \(labels.map(\.description).joined(separator: ", "))"
    }
}

/// A label of an object that an ``ObjectDetector`` found.
public final class ObjectLabel: NSObject, Sendable {
    /// The label's text; empty when the model has no name for this index.
    public let text: String
    /// The class number that the model uses, from 0.
    public let index: Int
    /// The model's score, 0...1.
    public let confidence: Float

    init(text: String, index: Int, confidence: Float) {
        self.text = text
        self.index = index
        self.confidence = confidence
    }

    public override var description: String { "\(text.isEmpty ? "#\(index)" : text) \(confidence)" }
}
