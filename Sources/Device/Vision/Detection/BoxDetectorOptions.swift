public import HearthImaging

/// What a ``BoxDetector`` can be told. The defaults fit every model; a detector keeps a copy.
public struct BoxDetectorOptions: Sendable {
    /// Boxes whose score is not above it are dropped. nil, or not a number: what the model's metadata says, else 0. A
    /// negative one also lets through boxes with score 0, of which models with a fixed number of boxes may be full.
    public var scoreThreshold: Float?

    /// The most boxes to return, the first ones in the model's order; 0 or less for all.
    public var maxBoxCount = 0

    /// The language of the labels, as the model's metadata writes it, where it has several.
    public var labelsLocale = "en"

    /// The line of the label file, from 0, that names class 0; nil to work it out from the model: 0, or 1 where the file
    /// begins with a line for the background that the model's classes do not count.
    public var labelOffset: Int?

    /// CPU threads for one picture; nil for as many as there are processors, four at most.
    public var threadCount: Int?

    /// How pictures are brought to the proportions of the model's input; nil for what detection models of TensorFlow Lite
    /// expect, `.stretch`.
    public var placement: ImagePlacement?

    /// How larger pictures are brought to the model's size; `.bilinear` for what ML Kit and the TensorFlow Lite Task Library
    /// do.
    public var resampling = ImageResampling.antialiased

    /// Above which overlap, as intersection over union (0...1), the lower of two boxes of one class is dropped. Only for
    /// models that leave this to whoever reads their outputs.
    public var overlapThreshold: Float = 0.5

    /// Whether boxes get a ``DetectedBox/trackingID`` that stays the same from picture to picture. For frames of one
    /// video, given in their order.
    public var tracksObjects = false

    public init() {}

    var settings: ModelSettings {
        ModelSettings(
            threadCount: threadCount, placement: placement ?? .stretch, resampling: resampling,
            labelsLocale: labelsLocale)
    }

    var validThreshold: Float? { scoreThreshold.flatMap { $0.isNaN ? nil : $0 } }
}
