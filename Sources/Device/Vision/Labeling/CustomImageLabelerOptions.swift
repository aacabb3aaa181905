public import HearthImaging
public import HearthModelFile
public import HearthModelSource

/// Options of a labeler with the app's own model.
///
/// The model takes one image, `[1, height, width, channels]` or `[1, channels, height, width]`, with 1, 3 or 4 channels, as
/// float32 or as integers of 8 to 64 bits. It returns scores as one row of N numbers, such as `[1, N]` or
/// `[1, 1, 1, N]`. Of several outputs, the first one for which the model's metadata names a label for each number counts,
/// else the first of all; ``ImageLabeler/resultsByOutput(in:region:)`` returns all. A model that leaves height and width
/// open receives images at their own size, unless its metadata names one.
///
/// The labeler refuses a model of which nothing says which values the input takes: not ``processing``, the file, its
/// first operators, nor the names of a known exporter. The error says what to state.
open class CustomImageLabelerOptions: CommonImageLabelerOptions {
    /// The most labels to return; 0 or less means 10.
    public var maxResultCount = 0

    /// CPU threads for one image; nil for as many as there are processors, at most four. Hearth's addition.
    public var threadCount: Int?

    /// How images are fitted to the proportions of the model's input. nil means as the model's file says, else `.crop` for
    /// classifiers of Ultralytics' exporter and those of Teachable Machine that are known by their names, and `.stretch`
    /// for others, as ML Kit and the TensorFlow Lite Task Library do. Hearth's addition.
    public var placement: ImagePlacement?

    /// How larger images are reduced to the model's size. `.bilinear` does the same as ML Kit and the TensorFlow Lite
    /// Task Library. Hearth's addition.
    public var resampling = ImageResampling.antialiased

    /// The language of the label texts, as the model's metadata writes it. Hearth's addition.
    ///
    /// A model may have several label files. A label's `text` is the line of the first file in this language. Without
    /// one, it is the line of the first file of all, which may hold ids.
    public var labelsLocale = "en"

    /// If not empty, only these labels are returned, by class name or text. Names that the model does not know are
    /// ignored; when it knows none of them, labeling reports an error. Hearth's addition.
    public var allowedLabels: [String] = []

    /// These labels are not returned. Use either this or `allowedLabels`, not both. Hearth's addition.
    public var deniedLabels: [String] = []

    /// Whether labels with a score below 0 are returned where neither these options nor the model name a threshold. Such
    /// scores are no probabilities.
    package var keepsNegativeScores = false

    /// What the model's file does not say, or says wrongly, about its images and outputs. Members that are not nil take
    /// precedence over the file. Hearth's addition.
    public var processing = ImageProcessing()

    let place: ModelPlace

    /// Creates options for a model on this device.
    public init(localModel: LocalModel) {
        place = ModelPlace(localModel)
        super.init()
    }

    /// Creates options from the result of a failable initialiser. With nil, labeling reports the missing model.
    public init(localModel: LocalModel?) {
        place = ModelPlace(localModel)
        super.init()
    }

    /// Creates options for a remote model. While it is not on this device, labeling reports `notFound` and starts the
    /// download. When a newer copy arrives, the labeler uses it from the next image on.
    public init(remoteModel: CustomRemoteModel) {
        place = ModelPlace(remoteModel)
        super.init()
    }

    var filter: LabelFilter { LabelFilter(allowed: allowedLabels, denied: deniedLabels) }

    var settings: ModelSettings {
        ModelSettings(
            threadCount: threadCount, placement: placement, resampling: resampling, labelsLocale: labelsLocale,
            processing: processing)
    }
}
