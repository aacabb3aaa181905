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
