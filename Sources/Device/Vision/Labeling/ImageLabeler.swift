public import Dispatch
public import Foundation
import HearthConcurrency
public import HearthImaging
import HearthModelSource

/// The completion of ``ImageLabeler/process(_:completion:)``: the labels, or an error. Exactly one argument is nil.
public typealias ImageLabelingCallback = ([ImageLabel]?, (any Error)?) -> Void

/// Finds out what an image shows, with the app's own model.
///
/// Images may have any size. The labeler turns an image upright, fits it to the model's input and converts it to the
/// input's type. Labels come with the highest confidence first, and of equal ones the lower index first. There are
/// at most `maxResultCount` of them, none below the threshold. An empty list is a success.
///
/// Use it from any thread. Images are decoded in parallel, and the model runs on one after another. A labeler that
/// could not load its model reports the reason at each call. Errors are `NSError`s in the domain `com.google.mlkit`.
public final class ImageLabeler: NSObject, Sendable {
    private let current: CurrentModel<LabelingModel>
    private let threshold: Float?
    /// The threshold where neither the options nor the model name one.
    private let defaultThreshold: Float
    private let maxCount: Int
    private let pipeline = ImagePipeline()
    private let mutableQueue = Lock<DispatchQueue>(.main)

    /// The queue for the completions of `process(_:completion:)`; the main queue by default.
    public var callbackQueue: DispatchQueue {
        get { mutableQueue.withLock { $0 } }
        set { mutableQueue.withLock { $0 = newValue } }
    }

    private init(_ options: CommonImageLabelerOptions) {
        threshold = options.confidenceThreshold.map(\.floatValue).flatMap { (0...1).contains($0) ? $0 : nil }
        let custom = options as? CustomImageLabelerOptions
        defaultThreshold = custom?.keepsNegativeScores == true ? -.infinity : 0
        let wanted = custom?.maxResultCount ?? 0
        maxCount = wanted > 0 ? wanted : LabelRanking.defaultMaxCount
        let settings = custom?.settings ?? ModelSettings()
        let filter = custom?.filter ?? LabelFilter()
        current = CurrentModel(custom?.place ?? .none) { path, labelsPath in
            try LabelingModel(path: path, labelsPath: labelsPath, filter: filter, settings: settings)
        }
        super.init()
    }

    /// Creates a labeler with these options and loads its model. Blocks until the model is loaded, which takes
    /// milliseconds.
    public class func imageLabeler(options: CommonImageLabelerOptions) -> ImageLabeler {
        ImageLabeler(options)
    }

    /// Creates a labeler with these options, like ``imageLabeler(options:)``, for code without the argument label.
    public class func imageLabeler(_ options: CommonImageLabelerOptions) -> ImageLabeler {
        ImageLabeler(options)
    }

    /// Throws the error that every call would report: the reason why there is no usable model. Hearth's addition.
    public func checkModel() throws {
        _ = try current.model()
    }

    /// Label files beside the model, when there are several candidates and so none was used.
    /// - Throws: The reason why there is no usable model.
    package func ambiguousLabelFiles() throws -> [String] {
        try current.model().ambiguousLabelFiles
    }

    /// Labels one image on the calling thread. Blocks, so do not call it on Swift's cooperative thread pool.
    /// - Parameter image: A `VisionImage` or `MLImage`.
    /// - Throws: `NSError` when there is no usable model, or when the image cannot be read.
    public func results(in image: any MLKitCompatibleImage) throws -> [ImageLabel] {
        try prepare(imageSource(image), region: nil).labels()
    }

    /// Labels a part of an image, given in pixels of the upright original. Hearth's addition.
    public func results(in image: any MLKitCompatibleImage, region: PixelRect) throws -> [ImageLabel] {
        try prepare(imageSource(image), region: region).labels()
    }

    /// Labels one image on the calling thread, with the labels of all outputs of a model that has several. Blocks.
    /// Hearth's addition.
    /// - Parameters:
    ///   - image: A `VisionImage` or `MLImage`.
    ///   - region: The part to look at, in pixels of the upright original; nil for the whole image.
    /// - Returns: At least one output, in the model's order. One of them has the labels that `results(in:)` returns.
    public func resultsByOutput(
        in image: any MLKitCompatibleImage, region: PixelRect? = nil
    ) throws -> [OutputLabels] {
        try prepare(imageSource(image), region: region).labelsByOutput()
    }

    /// Labels one image on another thread. Completions are called in the order of the calls; exactly one of their
    /// arguments is nil.
    public func process(_ image: any MLKitCompatibleImage, completion: @escaping ImageLabelingCallback) {
        let callback = Callback<Result<[ImageLabel], NSError>>(completion: completion)
        enqueue(Result { () throws(NSError) in try imageSource(image) }, region: nil) { labels in
            callback.call(with: labels, on: self.callbackQueue)
        }
    }

    /// Labels one image on another thread, for async code. It does not use the callback queue.
    public func process(_ image: any MLKitCompatibleImage) async throws -> [ImageLabel] {
        try await labels(of: imageSource(image), region: nil)
    }

    /// Labels a part of an image on another thread, for async code. The part is given in pixels of the upright
    /// original. Hearth's addition.
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

    /// Decodes the image before it waits for the model, so that the model can run on another thread's image in the
    /// meantime.
    private func prepare(_ source: any ImageSource, region: PixelRect?) throws(NSError) -> LabelingJob {
        let model = try current.model()
        let ranking = LabelRanking(threshold: threshold ?? model.threshold ?? defaultThreshold, maxCount: maxCount)
        do {
            let decoded = try source.decodedImage(covering: model.decodeTarget(region: region))
            return LabelingJob(
                model: model, decoded: decoded, region: region, ranking: ranking, watch: current.watch)
        } catch {
            throw VisionError.wrap(error)
        }
    }
}

/// One label that a labeler found for an image.
public final class ImageLabel: NSObject, Sendable {
    /// The label's text; empty when the model has no name for this index.
    public let text: String
    /// The label's position in the model's output and in the label file, from 0.
    public let index: Int
    /// The model's score, usually 0...1.
    public let confidence: Float
    /// Of all scores of the image.
    package let scoreRange: ScoreRange

    package init(text: String, index: Int, confidence: Float, scoreRange: ScoreRange = ScoreRange()) {
        self.text = text
        self.index = index
        self.confidence = confidence
        self.scoreRange = scoreRange
    }

    public override var description: String { "\(text.isEmpty ? "#\(index)" : text) \(confidence)" }
}

/// The labels that one output of a model gives an image.
public struct OutputLabels: Sendable {
    /// The output's name in the metadata, in the signature, or its tensor's; empty when it has none.
    public let name: String
    /// Whether `results(in:)` returns these labels.
    public let isMain: Bool
    /// The highest confidence first.
    public let labels: [ImageLabel]

    package init(name: String, isMain: Bool, labels: [ImageLabel]) {
        self.name = name
        self.isMain = isMain
        self.labels = labels
    }
}

/// A decoded image that waits for the model.
struct LabelingJob: Sendable {
    let model: LabelingModel
    let decoded: DecodedImage
    let region: PixelRect?
    let ranking: LabelRanking
    let watch: ModelRunObservation

    /// Waits until the model is free, and runs it. The labels of its main head.
    func labels() throws(NSError) -> [ImageLabel] { try outputs(model.mainHead..<model.mainHead + 1)[0].labels }

    /// Waits until the model is free, and runs it.
    func labelsByOutput() throws(NSError) -> [OutputLabels] { try outputs(nil) }

    /// - Parameter heads: nil for all.
    private func outputs(_ heads: Range<Int>?) throws(NSError) -> [OutputLabels] {
        do {
            let answers = try model.answers(for: decoded, region: region, ranking, of: heads, watch: watch)
            return zip((heads?.lowerBound ?? 0)..., answers).map { head, answer in
                OutputLabels(
                    name: model.name(ofHead: head) ?? "", isMain: head == model.mainHead,
                    labels: answer.entries.map { entry in
                        ImageLabel(
                            text: model.text(of: entry.index, head: head), index: entry.index,
                            confidence: entry.score, scoreRange: answer.range)
                    })
            }
        } catch {
            throw VisionError.wrap(error)
        }
    }
}
