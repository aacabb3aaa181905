public import Dispatch
public import Foundation
public import HearthImaging
import HearthModelSource
import Synchronization

public typealias ImageLabelingCallback = ([ImageLabel]?, (any Error)?) -> Void

/// Says what is in a picture, with a model of the app's own.
///
/// Picture in: any size; it is turned upright, stretched to the model's input and converted to its type. Labels out:
/// highest confidence first, of equal ones the lower index, at most `maxResultCount`, none below the threshold; an empty
/// list is a success.
///
/// Use it from any thread: pictures are decoded side by side and then run one after another. A labeler that could not
/// load its model says why at each call. Errors are `NSError`s in the domain `com.google.mlkit`.
public final class ImageLabeler: NSObject, Sendable {
    private let current: CurrentModel<LabelingModel>
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
        let settings = custom?.settings ?? ModelSettings()
        current = CurrentModel(custom?.place ?? .none) { path, labelsPath in
            try LabelingModel(path: path, labelsPath: labelsPath, settings: settings)
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

    /// Says early what each call would say: why there is no model to work with. Hearth's addition.
    public func checkModel() throws {
        _ = try current.model()
    }

    /// Labels one picture on the calling thread. Blocks: not for Swift's cooperative pool.
    public func results(in image: any MLKitCompatibleImage) throws -> [ImageLabel] {
        try label(picture(image), region: nil).get()
    }

    /// Labels a part of a picture, given in pixels of the upright original. Hearth's addition.
    public func results(in image: any MLKitCompatibleImage, region: PixelRect) throws -> [ImageLabel] {
        try label(picture(image), region: region).get()
    }

    /// Labels one picture off the calling thread; exactly one of the completion's arguments is nil.
    public func process(_ image: any MLKitCompatibleImage, completion: @escaping ImageLabelingCallback) {
        let callback = Completion(completion)
        do {
            let image = try picture(image)
            work.async { callback.call(with: self.label(image, region: nil), on: self.callbackQueue) }
        } catch {
            callback.call(with: .failure(error), on: callbackQueue)
        }
    }

    /// The same for async code; returns off the callback queue.
    public func process(_ image: any MLKitCompatibleImage) async throws -> [ImageLabel] {
        try await labels(of: picture(image), region: nil)
    }

    /// The same for a part of a picture, given in pixels of the upright original. Hearth's addition.
    public func process(_ image: any MLKitCompatibleImage, region: PixelRect) async throws -> [ImageLabel] {
        try await labels(of: picture(image), region: region)
    }

    private func labels(of image: any PictureSource, region: PixelRect?) async throws -> [ImageLabel] {
        try await withCheckedThrowingContinuation { continuation in
            work.async { continuation.resume(with: self.label(image, region: region)) }
        }
    }

    private func picture(_ image: any MLKitCompatibleImage) throws(NSError) -> any PictureSource {
        guard let image = image as? any PictureSource else {
            throw VisionError.make(.invalidArgument, "The image is neither a VisionImage nor an MLImage.")
        }
        return image
    }

    private func label(_ image: any PictureSource, region: PixelRect?) -> Result<[ImageLabel], NSError> {
        Result {
            let model = try current.model()
            let ranking = LabelRanking(threshold: threshold ?? model.threshold ?? 0, maxCount: maxCount)
            // Decoded before the model's turn, so that another thread's picture can run meanwhile.
            let picture = try image.picture(covering: model.decodeTarget(region: region))
            return try model.entries(of: picture, region: region, ranking).map { entry in
                ImageLabel(text: model.text(of: entry.index), index: entry.index, confidence: entry.score)
            }
        }.mapError(VisionError.wrap)
    }
}
