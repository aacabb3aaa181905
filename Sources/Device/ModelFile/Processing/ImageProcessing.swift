/// How an image becomes the input of a model, and what the model's outputs mean.
///
/// Each member may be nil, which means: as the model's file says, else as usual. So a value with one member states just
/// that, and leaves the rest to be found in the file.
public struct ImageProcessing: Sendable, Hashable {
    /// The channels of the input, in the tensor's order.
    public var channels: Channels?
    /// How a byte of a channel becomes a real number. An input of integers stores it as its quantization says.
    public var normalization: Normalization?
    /// How an image is fitted to the proportions of the input.
    public var resize: Resize?
    /// What turns a labeler's numbers into probabilities.
    public var activation: Activation?
    /// What the outputs of a detector are.
    public var layout: BoxLayout?
    /// Boxes and labels with a lower score are left out.
    public var scoreThreshold: Float?
    /// Of two boxes of a class with a larger intersection over union, 0 to 1, the one with the lower score is left out.
    public var overlapThreshold: Float?

    /// Creates a value that states what is not nil.
    public init(
        channels: Channels? = nil, normalization: Normalization? = nil, resize: Resize? = nil,
        activation: Activation? = nil, layout: BoxLayout? = nil, scoreThreshold: Float? = nil,
        overlapThreshold: Float? = nil
    ) {
        self.channels = channels
        self.normalization = normalization
        self.resize = resize
        self.activation = activation
        self.layout = layout
        self.scoreThreshold = scoreThreshold
        self.overlapThreshold = overlapThreshold
    }

    /// Whether nothing is stated.
    public var isEmpty: Bool { self == ImageProcessing() }

    /// This value, with what `other` states where this one states nothing.
    public func completed(by other: ImageProcessing) -> ImageProcessing {
        ImageProcessing(
            channels: channels ?? other.channels, normalization: normalization ?? other.normalization,
            resize: resize ?? other.resize, activation: activation ?? other.activation, layout: layout ?? other.layout,
            scoreThreshold: scoreThreshold ?? other.scoreThreshold,
            overlapThreshold: overlapThreshold ?? other.overlapThreshold)
    }

    /// The channels of a model's input.
    public enum Channels: String, Sendable, Hashable, Codable, CaseIterable {
        /// Red, green, blue.
        case rgb
        /// Blue, green, red.
        case bgr
        /// One channel: 0.299 red + 0.587 green + 0.114 blue.
        case gray
        /// Red, green, blue, and an opacity that is always 255.
        case rgba

        /// The number of channels.
        public var count: Int {
            switch self {
            case .rgb, .bgr: 3
            case .gray: 1
            case .rgba: 4
            }
        }
    }

    /// Real number = (byte - mean) / standard deviation.
    public struct Normalization: Sendable, Hashable {
        /// One value for all channels, or one for each in the tensor's order.
        public var mean: [Float]
        /// As many as ``mean``; none is 0. A negative one inverts: 255 and -255 make black 1 and white 0.
        public var standardDeviation: [Float]

        /// Creates a normalization.
        public init(mean: [Float], standardDeviation: [Float]) {
            self.mean = mean
            self.standardDeviation = standardDeviation
        }

        /// 0 to 255: the bytes themselves.
        public static let bytes = Normalization(mean: [0], standardDeviation: [1])
        /// 0 to 1.
        public static let zeroToOne = Normalization(mean: [0], standardDeviation: [255])
        /// -1 to 1.
        public static let minusOneToOne = Normalization(mean: [127.5], standardDeviation: [127.5])

        /// The normalization that makes `low` of byte 0 and `high` of byte 255; nil where they are not two numbers.
        public init?(low: Float, high: Float) {
            guard low.isFinite, high.isFinite, low != high, (high - low).isFinite else { return nil }
            let deviation = 255 / (high - low)
            self.init(mean: [0 - low * deviation], standardDeviation: [deviation])
        }

        /// Whether the numbers can be used with so many channels.
        public func isValid(channelCount: Int) -> Bool {
            mean.count == standardDeviation.count && (mean.count == 1 || mean.count == channelCount)
                && mean.allSatisfy(\.isFinite)
                && standardDeviation.allSatisfy { $0.isFinite && $0.magnitude >= .ulpOfOne }
        }
    }

    /// How an image is fitted to the proportions of the input.
    public enum Resize: String, Sendable, Hashable, Codable, CaseIterable {
        /// The whole image, each side scaled separately.
        case stretch
        /// The whole image with its proportions, in the centre; the rest is gray (114 of 255).
        case letterbox
        /// The whole image with its proportions, in the upper left corner; the rest is gray (114 of 255).
        case letterboxTopLeft = "letterbox-top-left"
        /// The largest centred part with the input's proportions.
        case crop
    }

    /// What turns a labeler's numbers into probabilities.
    public enum Activation: String, Sendable, Hashable, Codable, CaseIterable {
        /// The numbers are the scores.
        case none
        /// exp(number), divided by the sum over all classes: one class is right.
        case softmax
        /// 1 / (1 + exp(-number)): each class is right or wrong on its own.
        case sigmoid
    }
}
