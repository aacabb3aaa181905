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
    public var subgraphs: [Subgraph]
    /// Files that belong to the whole model.
    public var associatedFiles: [AssociatedFile]

    package init(
        name: String? = nil, description: String? = nil, version: String? = nil, author: String? = nil,
        license: String? = nil, minimumParserVersion: String? = nil, subgraphs: [Subgraph] = [],
        associatedFiles: [AssociatedFile] = []
    ) {
        self.name = name
        self.description = description
        self.version = version
        self.author = author
        self.license = license
        self.minimumParserVersion = minimumParserVersion
        self.subgraphs = subgraphs
        self.associatedFiles = associatedFiles
    }

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
        /// Blocks in formats of other libraries, such as ``DetectorMetadata``.
        package var customBlocks: [CustomBlock]

        package init(
            name: String? = nil, description: String? = nil, inputs: [Tensor] = [], outputs: [Tensor] = [],
            associatedFiles: [AssociatedFile] = [], inputProcessUnits: [ProcessUnit] = [],
            outputProcessUnits: [ProcessUnit] = [], inputGroups: [TensorGroup] = [], outputGroups: [TensorGroup] = [],
            customBlocks: [CustomBlock] = []
        ) {
            self.name = name
            self.description = description
            self.inputs = inputs
            self.outputs = outputs
            self.associatedFiles = associatedFiles
            self.inputProcessUnits = inputProcessUnits
            self.outputProcessUnits = outputProcessUnits
            self.inputGroups = inputGroups
            self.outputGroups = outputGroups
            self.customBlocks = customBlocks
        }

        /// The names of the custom blocks; empty for those without a name.
        package var customBlockNames: [String] { customBlocks.map { $0.name ?? "" } }
    }

    /// A block in a format of another library.
    package struct CustomBlock: Sendable, Hashable {
        /// The name by which the other library finds the block.
        package var name: String?
        /// The block, often another flatbuffer.
        package var bytes: [UInt8]

        package init(name: String?, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
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

        package init(
            name: String? = nil, description: String? = nil, dimensionNames: [String] = [], content: Content? = nil,
            processUnits: [ProcessUnit] = [], stats: Stats? = nil, associatedFiles: [AssociatedFile] = []
        ) {
            self.name = name
            self.description = description
            self.dimensionNames = dimensionNames
            self.content = content
            self.processUnits = processUnits
            self.stats = stats
            self.associatedFiles = associatedFiles
        }
    }

    /// Tensors that belong together.
    public struct TensorGroup: Sendable, Equatable {
        /// The group's name.
        public var name: String?
        /// The names of its tensors.
        public var tensorNames: [String]

        package init(name: String? = nil, tensorNames: [String] = []) {
            self.name = name
            self.tensorNames = tensorNames
        }
    }

    /// The range of a tensor's values, for all channels or for each.
    public struct Stats: Sendable, Equatable {
        /// The largest values: one for all channels, or one for each.
        public var maximum: [Float]
        /// The smallest values: one for all channels, or one for each.
        public var minimum: [Float]

        package init(maximum: [Float] = [], minimum: [Float] = []) {
            self.maximum = maximum
            self.minimum = minimum
        }
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

        package init(
            name: String? = nil, description: String? = nil, kind: Kind = .unknown, locale: String? = nil,
            version: String? = nil
        ) {
            self.name = name
            self.description = description
            self.kind = kind
            self.locale = locale
            self.version = version
        }

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
