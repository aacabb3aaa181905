public import HearthImaging

/// Options of a ``BoxDetector``. The defaults fit every model. A detector keeps a copy.
public struct BoxDetectorOptions: Sendable {
    /// Boxes whose score is not above this threshold are dropped. nil, or a value that is not a number, means the
    /// threshold of the model's metadata, else 0. A negative threshold also lets boxes with score 0 through, and a
    /// model with a fixed number of boxes may return many of these.
    public var scoreThreshold: Float?

    /// The most boxes to return, the first ones in the model's order; 0 or less for all.
    public var maxBoxCount = 0

    /// The language of the labels, as the model's metadata writes it, for models with labels in several languages.
    public var labelsLocale = "en"

    /// The line of the label file, from 0, that names class 0. nil reads it from the model: 0, or 1 where the file
    /// begins with a line for the background that is not among the model's classes.
    public var labelOffset: Int?

    /// CPU threads for one image; nil for as many as there are processors, at most four.
    public var threadCount: Int?

    /// How images are fitted to the proportions of the model's input. nil means `.stretch`, which detection models of
    /// TensorFlow Lite expect.
    public var placement: ImagePlacement?

    /// How larger images are reduced to the model's size. `.bilinear` does the same as ML Kit and the TensorFlow Lite
    /// Task Library.
    public var resampling = ImageResampling.antialiased

    /// When two boxes of one class overlap by more than this intersection over union (0...1), the one with the lower
    /// score is dropped. Only for models that do not select their boxes themselves.
    public var overlapThreshold: Float = 0.5

    /// Whether boxes get a ``DetectedBox/trackingID`` that stays the same from image to image. Pass frames of one video
    /// only, in their order.
    public var tracksObjects = false

    /// Creates options with the defaults.
    public init() {}

    var settings: ModelSettings {
        ModelSettings(
            threadCount: threadCount, placement: placement ?? .stretch, resampling: resampling,
            labelsLocale: labelsLocale)
    }

    var validThreshold: Float? { scoreThreshold.flatMap { $0.isNaN ? nil : $0 } }
}
