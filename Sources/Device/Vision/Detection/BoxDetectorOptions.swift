public import HearthImaging
public import HearthModelFile

/// Options of a ``BoxDetector``. The defaults fit every model. A detector keeps a copy.
public struct BoxDetectorOptions: Sendable {
    /// Boxes whose score is not above this threshold are dropped. nil, or a value that is not a number, means the
    /// threshold of the model's file, else the usual one: 0.25 for YOLO networks, 0.5 for FOMO and BlazeFace, 0 for
    /// others. A negative threshold also lets boxes with score 0 through, and a model with a fixed number of boxes may
    /// return many of these.
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

    /// How images are fitted to the proportions of the model's input. nil means as the model expects it: `.fit` for
    /// YOLO networks, and `.stretch` for most others.
    public var placement: ImagePlacement?

    /// How larger images are reduced to the model's size. `.bilinear` does the same as ML Kit and the TensorFlow Lite
    /// Task Library.
    public var resampling = ImageResampling.antialiased

    /// When two boxes of one class overlap by more than this intersection over union (0...1), the one with the lower
    /// score is dropped. Only for models that do not select their boxes themselves. nil means as the model's file says,
    /// else as usual: 0.45 for YOLO networks, 0.3 for MediaPipe's detectors, 0.5 for others.
    public var overlapThreshold: Float?

    /// What the model's file does not say, or says wrongly, about its images and outputs. Members that are not nil take
    /// precedence over the file.
    public var processing = ImageProcessing()

    /// Whether boxes get a ``DetectedBox/trackingID`` that stays the same from image to image. Pass frames of one video
    /// only, in their order.
    public var tracksObjects = false

    /// The threshold where neither ``scoreThreshold`` nor the model's file states one; nil for what is usual.
    package var defaultThreshold: Float?

    /// Creates options with the defaults.
    public init() {}

    var settings: ModelSettings {
        ModelSettings(
            threadCount: threadCount, placement: placement, resampling: resampling, labelsLocale: labelsLocale,
            processing: processing)
    }

    var validThreshold: Float? { scoreThreshold.flatMap { $0.isNaN ? nil : $0 } }
}
