/// The author's description of a model: the block `TFLITE_METADATA` in the file. All of it is optional.
public struct ModelMetadata: Sendable, Equatable {
    /// The model's name.
    public var name: String?
    /// What the model does.
    public var description: String?
    /// The model's version, in the author's own form.
    public var version: String?
    /// The model's author.
    public var author: String?
    /// The model's license.
    public var license: String?
    /// The oldest metadata reader that understands the whole block, as three numbers with dots.
    public var minimumParserVersion: String?
    /// The subgraphs, in the model's order.
    public var subgraphs: [Subgraph] = []
    /// Files that belong to the whole model.
    public var associatedFiles: [AssociatedFile] = []

    /// The description of one subgraph.
    public struct Subgraph: Sendable, Equatable {
        /// The subgraph's name.
        public var name: String?
        /// What the subgraph does.
        public var description: String?
        /// The inputs, in the subgraph's order.
        public var inputs: [Tensor]
        /// The outputs, in the subgraph's order.
        public var outputs: [Tensor]
        /// Files that belong to the subgraph.
        public var associatedFiles: [AssociatedFile]
        /// Steps that process all inputs together.
        public var inputProcessUnits: [ProcessUnit]
        /// Steps that process all outputs together.
        public var outputProcessUnits: [ProcessUnit]
        /// Inputs that belong together.
        public var inputGroups: [TensorGroup]
        /// Outputs that belong together, such as location, category and score of a detection.
        public var outputGroups: [TensorGroup]
        /// The names of blocks in formats of other libraries.
        package var customBlockNames: [String] = []
    }

    /// The description of one input or output.
    public struct Tensor: Sendable, Equatable {
        /// The tensor's name.
        public var name: String?
        /// What the tensor holds, for people.
        public var description: String?
        /// The names of the dimensions.
        public var dimensionNames: [String]
        /// What the tensor holds.
        public var content: Content?
        /// The steps before the model for an input, or after it for an output.
        public var processUnits: [ProcessUnit]
        /// The range of the tensor's values.
        public var stats: Stats?
        /// Files that belong to the tensor, such as its labels.
        public var associatedFiles: [AssociatedFile]
    }

    /// Tensors that belong together.
    public struct TensorGroup: Sendable, Equatable {
        /// The group's name.
        public var name: String?
        /// The names of its tensors.
        public var tensorNames: [String]
    }

    /// The range of a tensor's values, for all channels or for each.
    public struct Stats: Sendable, Equatable {
        /// The largest values: one for all channels, or one for each.
        public var maximum: [Float]
        /// The smallest values: one for all channels, or one for each.
        public var minimum: [Float]
    }

    /// A file in the zip that is appended to the model.
    public struct AssociatedFile: Sendable, Equatable {
        /// The file's name in the zip.
        public var name: String?
        /// What the file contains, for people.
        public var description: String?
        /// What the file is for.
        public var kind: Kind
        /// The language tag of label files, such as `en`.
        public var locale: String?
        /// The file's version.
        public var version: String?

        /// What the file is for, with the format's numbers.
        public struct Kind: RawRepresentable, Hashable, Sendable {
            /// The format's number for the kind.
            public let rawValue: Int8

            /// Creates a kind from the format's number.
            public init(rawValue: Int8) {
                self.rawValue = rawValue
            }

            /// No kind is stated.
            public static let unknown = Kind(rawValue: 0)
            /// Descriptions for people.
            public static let descriptions = Kind(rawValue: 1)
            /// One label for each index along an axis, for classification.
            public static let axisLabels = Kind(rawValue: 2)
            /// One label for each value that the tensor can hold, for the categories of a detector.
            public static let valueLabels = Kind(rawValue: 3)
            /// Parameters of a score calibration for each index along an axis.
            public static let axisScoreCalibration = Kind(rawValue: 4)
            /// The vocabulary of a text model.
            public static let vocabulary = Kind(rawValue: 5)
            /// An index for nearest-neighbour search with ScaNN.
            public static let scannIndex = Kind(rawValue: 6)
        }
    }
}

extension ModelMetadata {
    /// What a tensor holds.
    public struct Content: Sendable, Equatable {
        /// The kind of the content, with its details.
        public var properties: Properties
        /// The range of dimensions that the content occupies; nil for all.
        public var range: ValueRange?
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
    }

    /// The details of an image tensor.
    public struct ImageProperties: Sendable, Equatable {
        /// The color space of the image.
        public var colorSpace: ColorSpace
        /// The suggested width in pixels; nil when not stated.
        public var defaultWidth: Int?
        /// The suggested height in pixels; nil when not stated.
        public var defaultHeight: Int?

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
