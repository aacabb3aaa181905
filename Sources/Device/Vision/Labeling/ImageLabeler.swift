public import Dispatch
public import Foundation
import HearthConcurrency
public import HearthImaging
import HearthModelSource
import Synchronization

public typealias ImageLabelingCallback = ([ImageLabel]?, (any Error)?) -> Void

/// Says what is in an image, with a model of the app's own.
///
/// Image in: any size; it is turned upright, stretched to the model's input and converted to its type. Labels out:
/// highest confidence first, of equal ones the lower index, at most `maxResultCount`, none below the threshold; an empty
/// list is a success.
///
/// Use it from any thread: images are decoded side by side and then run one after another. A labeler that could not
/// load its model says why at each call. Errors are `NSError`s in the domain `com.google.mlkit`.
public final class ImageLabeler: NSObject, Sendable {
    private let current: CurrentModel<LabelingModel>
    private let threshold: Float?
    private let maxCount: Int
    private let pipeline = ImagePipeline()
    private let mutableQueue = Mutex<DispatchQueue>(.main)

    /// Where `process(_:completion:)` calls back; the main queue by default.
    public var callbackQueue: DispatchQueue {
        get { mutableQueue.withLock { $0 } }
        set { mutableQueue.withLock { $0 = newValue } }
    }

    private init(_ options: CommonImageLabelerOptions) {
        threshold = options.confidenceThreshold.map(\.floatValue).flatMap { (0...1).contains($0) ? $0 : nil }
        let custom = options as? CustomImageLabelerOptions
        let wanted = custom?.maxResultCount ?? 0
        maxCount = wanted > 0 ? wanted : LabelRanking.defaultMaxCount
        let settings = custom?.settings ?? ModelSettings()
        let filter = custom?.filter ?? LabelFilter()
        current = CurrentModel(custom?.place ?? .none) { path, labelsPath in
            try LabelingModel(path: path, labelsPath: labelsPath, filter: filter, settings: settings)
        }
        super.init()
    }

    /// A labeler for these options. Loads the model; blocks for the milliseconds that takes.
    public class func imageLabeler(options: CommonImageLabelerOptions) -> ImageLabeler {
        ImageLabeler(options)
    }

    /// The same without the argument label.
    public class func imageLabeler(_ options: CommonImageLabelerOptions) -> ImageLabeler {
        ImageLabeler(options)
    }

    /// Throws the error that every call would report: why there is no usable model. Hearth's addition.
    public func checkModel() throws {
        _ = try current.model()
    }

    /// Labels one image on the calling thread. Blocks: not for Swift's cooperative pool.
    public func results(in image: any MLKitCompatibleImage) throws -> [ImageLabel] {
        try prepare(imageSource(image), region: nil).labels()
    }

    /// Labels a part of an image, given in pixels of the upright original. Hearth's addition.
    public func results(in image: any MLKitCompatibleImage, region: PixelRect) throws -> [ImageLabel] {
        try prepare(imageSource(image), region: region).labels()
    }

    /// Labels one image off the calling thread; exactly one of the completion's arguments is nil. Completions come in the
    /// order of the calls.
    public func process(_ image: any MLKitCompatibleImage, completion: @escaping ImageLabelingCallback) {
        let callback = Callback<Result<[ImageLabel], NSError>>(completion: completion)
        enqueue(Result { () throws(NSError) in try imageSource(image) }, region: nil) { labels in
            callback.call(with: labels, on: self.callbackQueue)
        }
    }

    /// The same for async code; returns off the callback queue.
    public func process(_ image: any MLKitCompatibleImage) async throws -> [ImageLabel] {
        try await labels(of: imageSource(image), region: nil)
    }

    /// The same for a part of an image, given in pixels of the upright original. Hearth's addition.
    public func process(_ image: any MLKitCompatibleImage, region: PixelRect) async throws -> [ImageLabel] {
        try await labels(of: imageSource(image), region: region)
    }

    private func labels(of source: any ImageSource, region: PixelRect?) async throws -> [ImageLabel] {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(.success(source), region: region) { continuation.resume(with: $0) }
        }
    }

    private func enqueue(
        _ source: Result<any ImageSource, NSError>, region: PixelRect?,
        deliver: @escaping @Sendable (Result<[ImageLabel], NSError>) -> Void
    ) {
        pipeline.add {
            source.flatMap { source in
                Result { () throws(NSError) in try self.prepare(source, region: region) }
            }
        } then: { prepared in
            deliver(prepared.flatMap { job in Result { () throws(NSError) in try job.labels() } })
        }
    }

    /// Decodes the image, before its turn at the model, so that another thread's image can run meanwhile.
    private func prepare(_ source: any ImageSource, region: PixelRect?) throws(NSError) -> LabelingJob {
        let model = try current.model()
        let ranking = LabelRanking(threshold: threshold ?? model.threshold ?? 0, maxCount: maxCount)
        do {
            let decoded = try source.decodedImage(covering: model.decodeTarget(region: region))
            return LabelingJob(
                model: model, decoded: decoded, region: region, ranking: ranking, watch: current.watch)
        } catch {
            throw VisionError.wrap(error)
        }
    }
}

/// One thing that a labeler found in an image.
public final class ImageLabel: NSObject, Sendable {
    /// The label's text; empty when the model names none for this index.
    public let text: String
    /// Its position in the model's output and label file, from 0.
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

/// A decoded image on its way through a model.
struct LabelingJob: Sendable {
    let model: LabelingModel
    let decoded: DecodedImage
    let region: PixelRect?
    let ranking: LabelRanking
    let watch: ModelRunObservation

    /// Waits for the model's turn and runs it.
    func labels() throws(NSError) -> [ImageLabel] {
        do {
            return try model.entries(of: decoded, region: region, ranking, watch: watch).map { entry in
                ImageLabel(text: model.text(of: entry.index), index: entry.index, confidence: entry.score)
            }
        } catch {
            throw VisionError.wrap(error)
        }
    }
}
