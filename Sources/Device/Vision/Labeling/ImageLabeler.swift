public import Dispatch
public import Foundation
import HearthModelFile
import HearthModelSource
import Synchronization

public typealias ImageLabelingCallback = ([ImageLabel]?, (any Error)?) -> Void

/// Says what is in a picture, with a model of the app's own.
///
/// Picture in: any size; it is turned upright, stretched to the model's input and converted to its type. Labels out:
/// highest confidence first, at most `maxResultCount`, none below the threshold; an empty list is a success.
///
/// Use it from any thread: pictures are worked on one after another. A labeler that could not load its model says why
/// at each call. Errors are `NSError`s in the domain `com.google.mlkit`.
public final class ImageLabeler: NSObject, Sendable {
    private let model: Mutex<Result<LabelingModel, NSError>>
    private let threshold: Float?
    private let maxCount: Int
    private let work = DispatchQueue(label: "app.hearth.image-labeler")
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
        let path = custom?.localModel?.path
        let labelsPath = custom?.localModel?.labelsPath
        let manifestPath = custom?.localModel?.manifestPath
        model = Mutex(Self.load(manifestPath ?? path, labelsPath))
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

    /// Says early what each call would say: why the model could not be loaded. Hearth's addition.
    public func checkModel() throws {
        if let error = model.withLock({ model -> NSError? in
            if case .failure(let error) = model { error } else { nil }
        }) {
            throw error
        }
    }

    /// Labels one picture on the calling thread. Blocks: not for Swift's cooperative pool.
    public func results(in image: any MLKitCompatibleImage) throws -> [ImageLabel] {
        guard let image = image as? VisionImage else {
            throw VisionError.make(.invalidArgument, "The image is not a VisionImage.")
        }
        return try label(image).get()
    }

    /// Labels one picture off the calling thread; exactly one of the completion's arguments is nil.
    public func process(_ image: any MLKitCompatibleImage, completion: @escaping ImageLabelingCallback) {
        let callback = Completion(completion)
        guard let image = image as? VisionImage else {
            let error = VisionError.make(.invalidArgument, "The image is not a VisionImage.")
            return callback.call(with: .failure(error), on: callbackQueue)
        }
        work.async { callback.call(with: self.label(image), on: self.callbackQueue) }
    }

    /// The same for async code; returns off the callback queue.
    public func process(_ image: VisionImage) async throws -> [ImageLabel] {
        try await withCheckedThrowingContinuation { continuation in
            work.async { continuation.resume(with: self.label(image)) }
        }
    }

    private static func load(_ path: String?, _ labelsPath: String?) -> sending Result<LabelingModel, NSError> {
        guard let path else { return .failure(VisionError.make(.invalidArgument, "Local model must not be nil.")) }
        do {
            return .success(try LabelingModel(path: path, labelsPath: labelsPath))
        } catch {
            return .failure(VisionError.wrap(error))
        }
    }

    private func label(_ image: VisionImage) -> Result<[ImageLabel], NSError> {
        do {
            return try model.withLock { model in .success(try labels(of: image, try model.get())) }
        } catch {
            return .failure(VisionError.wrap(error))
        }
    }

    private func labels(of image: VisionImage, _ model: LabelingModel) throws -> [ImageLabel] {
        let ranking = LabelRanking(threshold: threshold ?? model.threshold ?? 0, maxCount: maxCount)
        return ranking.entries(try model.scores(of: image)).map { entry in
            ImageLabel(
                text: model.labels?.displayName(entry.index) ?? model.labels?.className(entry.index) ?? "",
                index: entry.index, confidence: entry.score)
        }
    }
}
