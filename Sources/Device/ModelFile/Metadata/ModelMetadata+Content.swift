extension ModelMetadata {
    /// What a tensor holds.
    public struct Content: Sendable, Equatable {
        public var properties: Properties
        /// The range of dimensions that the content takes; nil for all.
        public var range: ValueRange?
    }

    public enum Properties: Sendable, Equatable {
        case none
        case feature
        case image(ImageProperties)
        case boundingBox(BoundingBoxProperties)
        case audio
        /// A kind that is newer than this reader.
        case other(Int)
    }

    /// Both ends included; as stored, so the minimum may be above the maximum.
    public struct ValueRange: Sendable, Equatable {
        public var minimum: Int
        public var maximum: Int
    }

    public struct ImageProperties: Sendable, Equatable {
        public var colorSpace: ColorSpace
        /// In pixels; nil when not stated.
        public var defaultWidth: Int?
        public var defaultHeight: Int?

        public struct ColorSpace: RawRepresentable, Hashable, Sendable {
            public let rawValue: Int8

            public init(rawValue: Int8) {
                self.rawValue = rawValue
            }

            public static let unknown = ColorSpace(rawValue: 0)
            public static let rgb = ColorSpace(rawValue: 1)
            public static let grayscale = ColorSpace(rawValue: 2)
        }
    }

    public struct BoundingBoxProperties: Sendable, Equatable {
        /// Position of left, top, right and bottom (or of the other forms' numbers) within a box; empty for that order.
        public var index: [Int]
        public var form: Form
        public var coordinates: Coordinates

        public struct Form: RawRepresentable, Hashable, Sendable {
            public let rawValue: Int8

            public init(rawValue: Int8) {
                self.rawValue = rawValue
            }

            public static let unknown = Form(rawValue: 0)
            public static let boundaries = Form(rawValue: 1)
            public static let upperLeft = Form(rawValue: 2)
            public static let center = Form(rawValue: 3)
        }

        public struct Coordinates: RawRepresentable, Hashable, Sendable {
            public let rawValue: Int8

            public init(rawValue: Int8) {
                self.rawValue = rawValue
            }

            /// 0 to 1 of the image's side.
            public static let ratio = Coordinates(rawValue: 0)
            public static let pixel = Coordinates(rawValue: 1)
        }
    }

    /// A step before or after the model.
    public enum ProcessUnit: Sendable, Equatable {
        /// input = (value - mean) / standard deviation, with one number for all channels or one for each.
        case normalization(mean: [Float], standardDeviation: [Float])
        /// Parameters by class are in an associated file; classes without get the default score.
        case scoreCalibration(transformation: ScoreTransformation, defaultScore: Float)
        /// Results with lower scores are dropped.
        case scoreThresholding(Float)
        /// A unit for text, or one that is newer than this reader, by its number.
        case other(Int)
    }

    public struct ScoreTransformation: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int8

        public init(rawValue: Int8) {
            self.rawValue = rawValue
        }

        public static let identity = ScoreTransformation(rawValue: 0)
        public static let log = ScoreTransformation(rawValue: 1)
        public static let inverseLogistic = ScoreTransformation(rawValue: 2)
    }
}
