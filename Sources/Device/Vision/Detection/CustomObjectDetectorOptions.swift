public import Foundation
public import HearthImaging
public import HearthModelFile
public import HearthModelSource

/// Options of a detector with the app's own model: a detection model, which finds and labels the objects, or a labeling
/// model, which labels the whole image as one object. See ``ObjectDetector``.
open class CustomObjectDetectorOptions: CommonObjectDetectorOptions {
    /// Labels with a lower confidence are left out; 0...1. nil, or a value outside that range, means the threshold of
    /// the model's metadata, else 0.
    public var classificationConfidenceThreshold: NSNumber?

    /// The most labels of one object; 0 or less means 10. A detection model returns one.
    public var maxPerObjectLabelCount = 10

    /// CPU threads for one image; nil for as many as there are processors, at most four. Hearth's addition.
    public var threadCount: Int?

    /// How images are fitted to the proportions of the model's input. nil means as the model's file says, else as is
    /// usual for such a model. Hearth's addition.
    public var placement: ImagePlacement?

    /// How larger images are reduced to the model's size. `.bilinear` does the same as ML Kit and the TensorFlow Lite
    /// Task Library. Hearth's addition.
    public var resampling = ImageResampling.antialiased

    /// The language of the label texts, as the model's metadata writes it. Hearth's addition.
    public var labelsLocale = "en"

    /// What the model's file does not say, or says wrongly, about its images and outputs. Members that are not nil take
    /// precedence over the file. Hearth's addition.
    public var processing = ImageProcessing()

    let place: ModelPlace

    /// Creates options for a model on this device.
    public init(localModel: LocalModel) {
        place = ModelPlace(localModel)
        super.init()
    }

    /// Creates options from the result of a failable initialiser. With nil, detection reports the missing model.
    public init(localModel: LocalModel?) {
        place = ModelPlace(localModel)
        super.init()
    }

    /// Creates options for a remote model. While it is not on this device, detection reports `notFound` and starts the
    /// download. When a newer copy arrives, the detector uses it from the next image on.
    public init(remoteModel: CustomRemoteModel) {
        place = ModelPlace(remoteModel)
        super.init()
    }

    var settings: ModelSettings {
        ModelSettings(
            threadCount: threadCount, placement: placement, resampling: resampling, labelsLocale: labelsLocale,
            processing: processing)
    }

    var classificationThreshold: Float? {
        classificationConfidenceThreshold.map(\.floatValue).flatMap { (0...1).contains($0) ? $0 : nil }
    }
}
