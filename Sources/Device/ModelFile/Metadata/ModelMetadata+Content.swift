extension ModelMetadata {
    /// What a tensor holds.
    public struct Content: Sendable, Equatable {
        /// The kind of the content, with its details.
        public var properties: Properties
        /// The range of dimensions that the content occupies; nil for all.
        public var range: ValueRange?

        package init(properties: Properties, range: ValueRange? = nil) {
            self.properties = properties
            self.range = range
        }
    }

    /// The kind of a tensor's content.
    public enum Properties: Sendable, Equatable {
        /// No kind is stated.
        case none
        /// A feature without further details.
        case feature
        /// An image.
        case image(ImageProperties)
        /// Bounding boxes.
        case boundingBox(BoundingBoxProperties)
        /// Sound.
        case audio
        /// A kind that is newer than this reader.
        case other(Int)
    }

    /// A range that includes both ends, as stored: the minimum may be above the maximum.
    public struct ValueRange: Sendable, Equatable {
        /// The lower end.
        public var minimum: Int
        /// The upper end.
        public var maximum: Int

        package init(minimum: Int, maximum: Int) {
            self.minimum = minimum
            self.maximum = maximum
        }
    }

    /// The details of an image tensor.
    public struct ImageProperties: Sendable, Equatable {
        /// The color space of the image.
        public var colorSpace: ColorSpace
        /// The suggested width in pixels; nil when not stated.
        public var defaultWidth: Int?
        /// The suggested height in pixels; nil when not stated.
        public var defaultHeight: Int?

        package init(colorSpace: ColorSpace, defaultWidth: Int? = nil, defaultHeight: Int? = nil) {
            self.colorSpace = colorSpace
            self.defaultWidth = defaultWidth
            self.defaultHeight = defaultHeight
        }

        /// The color space of an image, with the format's numbers.
        public struct ColorSpace: RawRepresentable, Hashable, Sendable {
            /// The format's number for the color space.
            public let rawValue: Int8

            /// Creates a color space from the format's number.
            public init(rawValue: Int8) {
                self.rawValue = rawValue
            }

            /// No color space is stated.
            public static let unknown = ColorSpace(rawValue: 0)
            /// Red, green and blue.
            public static let rgb = ColorSpace(rawValue: 1)
            /// Shades of gray.
            public static let grayscale = ColorSpace(rawValue: 2)
        }
    }

    /// How a tensor describes bounding boxes.
    public struct BoundingBoxProperties: Sendable, Equatable {
        /// The positions of left, top, right and bottom (or of the other forms' numbers) within a box; empty for that
        /// order.
        public var index: [Int]
        /// The meaning of a box's four numbers.
        public var form: Form
        /// The unit of a box's numbers.
        public var coordinates: Coordinates

        package init(index: [Int] = [], form: Form, coordinates: Coordinates) {
            self.index = index
            self.form = form
            self.coordinates = coordinates
        }

        /// The meaning of a box's four numbers, with the format's numbers.
        public struct Form: RawRepresentable, Hashable, Sendable {
            /// The format's number for the form.
            public let rawValue: Int8

            /// Creates a form from the format's number.
            public init(rawValue: Int8) {
                self.rawValue = rawValue
            }

            /// No form is stated.
            public static let unknown = Form(rawValue: 0)
            /// Left, top, right, bottom.
            public static let boundaries = Form(rawValue: 1)
            /// Left, top, width, height.
            public static let upperLeft = Form(rawValue: 2)
            /// The centre's x, the centre's y, width, height.
            public static let center = Form(rawValue: 3)
        }

        /// The unit of a box's numbers, with the format's numbers.
        public struct Coordinates: RawRepresentable, Hashable, Sendable {
            /// The format's number for the unit.
            public let rawValue: Int8

            /// Creates a unit from the format's number.
            public init(rawValue: Int8) {
                self.rawValue = rawValue
            }

            /// Shares of the image's sides, 0 to 1.
            public static let ratio = Coordinates(rawValue: 0)
            /// Pixels of the image.
            public static let pixel = Coordinates(rawValue: 1)
        }
    }

    /// A processing step before or after the model.
    public enum ProcessUnit: Sendable, Equatable {
        /// input = (value - mean) / standard deviation, with one number for all channels or one for each.
        case normalization(mean: [Float], standardDeviation: [Float])
        /// Each class has parameters in an associated file; classes without parameters get the default score.
        case scoreCalibration(transformation: ScoreTransformation, defaultScore: Float)
        /// Results with lower scores are dropped.
        case scoreThresholding(Float)
        /// A step for text, or one that is newer than this reader, by its number.
        case other(Int)
    }

    /// The function that is applied to a score before its calibration, with the format's numbers.
    public struct ScoreTransformation: RawRepresentable, Hashable, Sendable {
        /// The format's number for the function.
        public let rawValue: Int8

        /// Creates a function from the format's number.
        public init(rawValue: Int8) {
            self.rawValue = rawValue
        }

        /// The score itself.
        public static let identity = ScoreTransformation(rawValue: 0)
        /// log(score).
        public static let log = ScoreTransformation(rawValue: 1)
        /// log(score) - log(1 - score).
        public static let inverseLogistic = ScoreTransformation(rawValue: 2)
    }
}
