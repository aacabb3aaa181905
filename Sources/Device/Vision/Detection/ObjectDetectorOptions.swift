public import Foundation
public import HearthImaging
public import HearthModelSource

/// What every object detector can be told. Not thread safe while it is being filled in; a detector keeps a copy.
open class CommonObjectDetectorOptions: NSObject {
    /// Whether objects get labels; off at first.
    public var shouldEnableClassification = false

    /// Whether up to five objects are returned, and not only the most prominent one; off at first.
    public var shouldEnableMultipleObjects = false

    /// `.stream` at first.
    public var detectorMode = ObjectDetectorMode.stream

    override init() {}
}

/// Options of a detector with a model of the app's own: a detection model, which finds and labels the objects, or a
/// labeling model, which labels the whole image as one object. ``ObjectDetector`` tells more.
open class CustomObjectDetectorOptions: CommonObjectDetectorOptions {
    /// Labels below it are left out; 0...1. nil, or a number outside: what the model's metadata says, else 0.
    public var classificationConfidenceThreshold: NSNumber?

    /// The most labels of one object; not positive: 10. A detection model gives one.
    public var maxPerObjectLabelCount = 10

    /// CPU threads for one image; nil for as many as there are processors, four at most. Hearth's addition.
    public var threadCount: Int?

    /// How images of other proportions are brought to the model's. Hearth's addition.
    public var placement = ImagePlacement.stretch

    /// How larger images are brought to the model's size; `.bilinear` for what ML Kit and the TensorFlow Lite Task Library
    /// do. Hearth's addition.
    public var resampling = ImageResampling.antialiased

    /// Language of the label texts, as the model's metadata writes it. Hearth's addition.
    public var labelsLocale = "en"

    let place: ModelPlace

    /// A model on this device.
    public init(localModel: LocalModel) {
        place = ModelPlace(localModel)
        super.init()
    }

    /// For code that passes the result of a failable initialiser on; with nil, detection reports the missing model.
    public init(localModel: LocalModel?) {
        place = ModelPlace(localModel)
        super.init()
    }

    /// A model that is fetched to this device. While it is not there, detection reports `notFound` and has it fetched;
    /// when a newer copy arrives, the next image goes to that.
    public init(remoteModel: CustomRemoteModel) {
        place = ModelPlace(remoteModel)
        super.init()
    }

    var settings: ModelSettings {
        ModelSettings(
            threadCount: threadCount, placement: placement, resampling: resampling, labelsLocale: labelsLocale)
    }

    var classificationThreshold: Float? {
        classificationConfidenceThreshold.map(\.floatValue).flatMap { (0...1).contains($0) ? $0 : nil }
    }
}

/// Whether images have to do with each other.
public struct ObjectDetectorMode: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Each image for itself.
    public static let singleImage = ObjectDetectorMode(rawValue: 0)
    /// Frames of one video, in their order: the same object keeps its tracking id.
    public static let stream = ObjectDetectorMode(rawValue: 1)
}
