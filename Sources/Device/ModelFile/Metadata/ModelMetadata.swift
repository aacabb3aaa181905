/// What a model's author wrote about it: the block `TFLITE_METADATA` inside the file. All of it is optional.
public struct ModelMetadata: Sendable, Equatable {
    public var name: String?
    public var description: String?
    public var version: String?
    public var author: String?
    public var license: String?
    /// The oldest metadata reader that understands all of the block, as three numbers with dots.
    public var minimumParserVersion: String?
    /// In the order of the model's subgraphs.
    public var subgraphs: [Subgraph] = []
    /// Files that belong to the model as a whole.
    public var associatedFiles: [AssociatedFile] = []

    public struct Subgraph: Sendable, Equatable {
        public var name: String?
        public var description: String?
        /// In the order of the subgraph's inputs.
        public var inputs: [Tensor]
        /// In the order of the subgraph's outputs.
        public var outputs: [Tensor]
        public var associatedFiles: [AssociatedFile]
        public var inputProcessUnits: [ProcessUnit]
        public var outputProcessUnits: [ProcessUnit]
        public var inputGroups: [TensorGroup]
        /// Outputs that belong together, such as location, category and score of a detection.
        public var outputGroups: [TensorGroup]
    }

    public struct Tensor: Sendable, Equatable {
        public var name: String?
        public var description: String?
        public var dimensionNames: [String]
        public var content: Content?
        public var processUnits: [ProcessUnit]
        public var stats: Stats?
        public var associatedFiles: [AssociatedFile]
    }

    public struct TensorGroup: Sendable, Equatable {
        public var name: String?
        public var tensorNames: [String]
    }

    /// The values that occur in a tensor, one for all channels or one for each.
    public struct Stats: Sendable, Equatable {
        public var maximum: [Float]
        public var minimum: [Float]
    }

    /// A file in the zip that is appended to the model.
    public struct AssociatedFile: Sendable, Equatable {
        public var name: String?
        public var description: String?
        public var kind: Kind
        /// Language tag of label files, such as `en`.
        public var locale: String?
        public var version: String?

        /// What the file is for, in the numbering of the format.
        public struct Kind: RawRepresentable, Hashable, Sendable {
            public let rawValue: Int8

            public init(rawValue: Int8) {
                self.rawValue = rawValue
            }

            public static let unknown = Kind(rawValue: 0)
            public static let descriptions = Kind(rawValue: 1)
            /// One label for each index along an axis: classification.
            public static let axisLabels = Kind(rawValue: 2)
            /// One label for each value that the tensor can hold: detection categories.
            public static let valueLabels = Kind(rawValue: 3)
            public static let axisScoreCalibration = Kind(rawValue: 4)
            public static let vocabulary = Kind(rawValue: 5)
            public static let scannIndex = Kind(rawValue: 6)
        }
    }
}

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
