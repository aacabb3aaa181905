public import Dispatch
public import Foundation
import HearthConcurrency
import HearthImaging
import HearthModelSource
import Synchronization

public typealias ObjectDetectionCallback = ([Object]?, (any Error)?) -> Void

/// Finds up to five objects in an image, as ML Kit does. ``BoxDetector`` gives every box of a detection model.
///
/// What the app's model is decides what is found, for there is no built-in one here:
/// - A **detection model** finds the objects itself. Objects are its boxes whose score is above the threshold of its
///   metadata, else above 0.5; the most prominent comes first, that is the one with the highest product of score and
///   area. Its class is the object's only label.
/// - A **labeling model**, which is what ML Kit's custom models are, cannot find anything: the whole image is one object
///   with that model's labels. Give it an image, or crop one, that shows one thing.
///
/// One object is returned unless several are asked for; labels only with classification on; tracking ids only in stream
/// mode. An empty list is a success.
///
/// Use it from any thread: models run one image at a time, and decoding of the next overlaps with that. A detector that
/// could not load its model says why at each call. Errors are `NSError`s in the domain `com.google.mlkit`.
public final class ObjectDetector: NSObject, Sendable {
    private let current: CurrentModel<ObjectModel>
    private let request: ObjectModel.Request
    /// nil unless in stream mode.
    private let tracker: Mutex<BoxTracker?>
    private let pipeline = ImagePipeline()
    private let mutableQueue = Mutex<DispatchQueue>(.main)

    /// Where `process(_:completion:)` calls back; the main queue by default.
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
        tracker = Mutex(options.detectorMode == .stream ? BoxTracker() : nil)
        let settings = custom?.settings ?? ModelSettings()
        current = CurrentModel(custom?.place ?? .none) { path, labelsPath in
            try ObjectModel(path: path, labelsPath: labelsPath, settings: settings)
        }
        super.init()
    }

    /// A detector for these options. Loads the model; blocks for the milliseconds that takes.
    public class func objectDetector(options: CommonObjectDetectorOptions) -> ObjectDetector {
        ObjectDetector(options)
    }

    /// The same without the argument label.
    public class func objectDetector(_ options: CommonObjectDetectorOptions) -> ObjectDetector {
        ObjectDetector(options)
    }

    /// Throws the error that every call would report: why there is no usable model. Hearth's addition.
    public func checkModel() throws {
        _ = try current.model()
    }

    /// The objects of one image, found on the calling thread. Blocks: not for Swift's cooperative pool.
    public func results(in image: any MLKitCompatibleImage) throws -> [Object] {
        try objects(in: prepared(imageSource(image))).get()
    }

    /// Finds the objects of one image off the calling thread, in the order of the calls; exactly one of the
    /// completion's arguments is nil.
    public func process(_ image: any MLKitCompatibleImage, completion: @escaping ObjectDetectionCallback) {
        let callback = Callback<Result<[Object], NSError>>(completion: completion)
        do {
            submit(try imageSource(image)) { [self] in callback.call(with: $0, on: callbackQueue) }
        } catch {
            callback.call(with: .failure(error), on: callbackQueue)
        }
    }

    /// The same for async code; returns off the callback queue.
    public func process(_ image: any MLKitCompatibleImage) async throws -> [Object] {
        let image = try imageSource(image)
        return try await withCheckedThrowingContinuation { continuation in
            submit(image) { continuation.resume(with: $0) }
        }
    }

    // MARK: Steps

    /// An image decoded for the model that it will go to.
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

/// One thing that an ``ObjectDetector`` found in an image.
public final class Object: NSObject, Sendable {
    /// Where it is, in pixels of the upright image with (0, 0) at the top left; inside the image.
    public let frame: CGRect

    /// Highest confidence first; empty unless classification is on.
    public let labels: [ObjectLabel]

    /// The same for the same object from frame to frame; nil unless the detector is in stream mode.
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

/// What an object of an ``ObjectDetector`` may be.
public final class ObjectLabel: NSObject, Sendable {
    /// The label's text; empty when the model names none for this index.
    public let text: String
    /// The class as the model numbers it, from 0.
    public let index: Int
    /// 0...1.
    public let confidence: Float

    init(text: String, index: Int, confidence: Float) {
        self.text = text
        self.index = index
        self.confidence = confidence
    }

    public override var description: String { "\(text.isEmpty ? "#\(index)" : text) \(confidence)" }
}
