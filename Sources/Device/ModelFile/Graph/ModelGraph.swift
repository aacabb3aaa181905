/// What a model file says: plain values, independent of the file's bytes.
public struct ModelGraph: Sendable, Equatable {
    public var subgraphs: [Subgraph] = []
    /// In file order; empty for models exported without signatures.
    public var signatures: [Signature] = []
    /// Named blocks of bytes that travel with the model, in file order.
    public var metadata: [MetadataEntry] = []

    package var metadataNames: [String] { metadata.map(\.name) }

    /// One graph of operators; the first one is what a model without signatures runs.
    public struct Subgraph: Sendable, Equatable {
        public var name: String?
        public var tensors: [Tensor]
        /// Indices into ``tensors``.
        public var inputs: [Int]
        /// Indices into ``tensors``.
        public var outputs: [Int]
        /// In the order in which they run.
        public var operators: [Operator]
    }

    public struct Tensor: Sendable, Equatable {
        public var name: String?
        /// As stored: dynamic dimensions are 1 here. Empty for scalars and for tensors whose shape is not stored.
        public var shape: [Int]
        /// The shape with -1 for each dynamic dimension; nil where the file has none.
        public var shapeSignature: [Int]?
        public var type: ElementType
        /// Index of the buffer with the constant's bytes; 0 is the empty buffer.
        public var buffer: Int
        /// Where the constant's bytes lie in the file; nil when the tensor is computed.
        public var data: Range<Int>?
        public var quantization: Quantization?
        /// Keeps its value from one run to the next.
        public var isVariable: Bool
        /// Number of a buffer in another file; 0 for none.
        public var externalBuffer: Int
        /// How the constant's values lie in the tensor; nil where all are there, one behind the other.
        package var sparsity: Sparsity?
    }

    /// real value = scale x (stored value - zero point)
    public struct Quantization: Sendable, Equatable {
        /// One for the whole tensor, or one for each index of ``dimension``.
        public var scales: [Float]
        /// Empty or as many as scales.
        public var zeroPoints: [Int64]
        public var dimension: Int
        /// Kind of the details union: 0 none, 1 custom, 2 block-wise, 3 several axes.
        public var detailsKind: Int
    }

    public struct Operator: Sendable, Equatable {
        /// Index into the file's operator codes.
        public var codeIndex: Int
        /// The builtin operator's number; 32 is a custom operator.
        public var builtinCode: Int
        /// `CONV_2D` for builtin operators, the custom code for custom ones.
        public var name: String
        public var version: Int
        /// Indices into the subgraph's tensors; -1 for an optional input that is left out.
        public var inputs: [Int]
        public var outputs: [Int]
        public var intermediates: [Int]
        /// Whether an input is changed in place as state.
        public var mutatesInputs: Bool
        /// Subgraphs that this operator runs: a loop's condition and body, a branch's two sides.
        public var calledSubgraphs: [Int]
        /// Into how many parts a split divides its input; nil for other operators, and where the options are absent.
        package var splitCount: Int?
        /// The whole numbers of its options that matter for loading, by field of the format; those that the file has.
        package var optionNumbers: [Int: Int] = [:]
        /// The lists of whole numbers in the options of gathers and scatters of StableHLO, by field of the format.
        package var optionLists: [Int: [Int]] = [:]
        /// Width and height of the window that a pooling moves over its input; nil for other operators, and where the
        /// options are absent.
        package var poolingWindow: [Int]?
        /// How an LSTM, RNN or SVDF computes; nil for other operators, and where the options are absent.
        package var recurrentOptions: RecurrentOptions?
        /// How a slice with strides reads its operands; nil for other operators, and where the options are absent.
        package var sliceOptions: SliceOptions?
        /// Where a custom operator's options lie in the file.
        public var customOptions: Range<Int>?
    }

    /// A named way to run a subgraph.
    public struct Signature: Sendable, Equatable {
        public var key: String
        public var subgraph: Int
        public var inputs: [NamedTensor]
        public var outputs: [NamedTensor]

        public init(key: String, subgraph: Int, inputs: [NamedTensor], outputs: [NamedTensor]) {
            self.key = key
            self.subgraph = subgraph
            self.inputs = inputs
            self.outputs = outputs
        }
    }

    public struct NamedTensor: Sendable, Equatable {
        public var name: String
        /// Index into the subgraph's tensors.
        public var tensor: Int

        public init(name: String, tensor: Int) {
            self.name = name
            self.tensor = tensor
        }
    }

    public struct MetadataEntry: Sendable, Equatable {
        public var name: String
        /// Where its bytes lie in the file; nil when it has none.
        public var data: Range<Int>?
    }
}

extension ModelGraph.Subgraph {
    /// The tensors that a caller fills, in order. Indices that a damaged file has beyond its tensors are left out.
    public var inputTensors: [ModelGraph.Tensor] { tensors(at: inputs) }

    /// The tensors that a run fills, in order. Indices that a damaged file has beyond its tensors are left out.
    public var outputTensors: [ModelGraph.Tensor] { tensors(at: outputs) }

    /// Bytes of weights and other constants in the file; those that several tensors share count once.
    public var constantByteCount: Int {
        var counted: Set<Int> = []
        return tensors.reduce(0) { sum, tensor in
            counted.insert(tensor.buffer).inserted ? sum + (tensor.data?.count ?? 0) : sum
        }
    }

    private func tensors(at indices: [Int]) -> [ModelGraph.Tensor] {
        indices.filter(tensors.indices.contains).map { tensors[$0] }
    }
}
