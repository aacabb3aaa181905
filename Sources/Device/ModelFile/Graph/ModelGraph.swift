/// The contents of a model file as plain values, independent of the file's bytes.
public struct ModelGraph: Sendable, Equatable {
    /// The subgraphs, in file order; the first one is the main subgraph.
    public var subgraphs: [Subgraph] = []
    /// The signatures, in file order; empty for models exported without signatures.
    public var signatures: [Signature] = []
    /// Whether `signatures` name other tensors than the file does: see `correctSignatures()`.
    package var hasCorrectedSignatures = false
    /// Named blocks of bytes that are stored with the model, in file order.
    public var metadata: [MetadataEntry] = []

    package var metadataNames: [String] { metadata.map(\.name) }

    /// One graph of operators. A model without signatures runs the first one.
    public struct Subgraph: Sendable, Equatable {
        /// The subgraph's name; nil when the file has none.
        public var name: String?
        /// All tensors of the subgraph, including constants and intermediate results.
        public var tensors: [Tensor]
        /// The tensors that a caller fills, as indices into ``tensors``.
        public var inputs: [Int]
        /// The tensors that a run fills, as indices into ``tensors``.
        public var outputs: [Int]
        /// The operators, in the order in which they run.
        public var operators: [Operator]
    }

    /// One tensor of a subgraph.
    public struct Tensor: Sendable, Equatable {
        /// The tensor's name; nil when the file has none.
        public var name: String?
        /// The stored shape, in which dynamic dimensions are 1. Empty for scalars and for tensors whose shape is not
        /// stored.
        public var shape: [Int]
        /// The shape with -1 for each dynamic dimension; nil where the file has none.
        public var shapeSignature: [Int]?
        /// The type of the elements.
        public var type: ElementType
        /// The index of the buffer with the constant's bytes; 0 is the empty buffer.
        public var buffer: Int
        /// The range of the constant's bytes in the file; nil when the tensor is computed.
        public var data: Range<Int>?
        /// How stored values represent real numbers; nil where the file does not state it.
        public var quantization: Quantization?
        /// Whether the tensor keeps its value from one run to the next.
        public var isVariable: Bool
        /// The number of a buffer in another file; 0 for none.
        public var externalBuffer: Int
        /// The layout of a sparse constant; nil when all values are stored one after the other.
        package var sparsity: Sparsity?
    }

    /// How stored values represent real numbers: real value = scale x (stored value - zero point).
    public struct Quantization: Sendable, Equatable {
        /// One scale for the whole tensor, or one for each index of ``dimension``.
        public var scales: [Float]
        /// The zero points: none, or as many as scales.
        public var zeroPoints: [Int64]
        /// The dimension along which there is one scale for each index.
        public var dimension: Int
        /// The kind of the details union: 0 none, 1 custom, 2 block-wise, 3 several axes.
        public var detailsKind: Int
        /// Where the scales of blocks are; nil where the file states no blocks.
        package var blocks: Blocks?
    }

    /// Scales of blocks: each row of a tensor consists of blocks of as many elements, and another tensor has a scale for
    /// each.
    package struct Blocks: Sendable, Equatable {
        /// The tensor with the scales, as an index into the subgraph's tensors.
        package var scales: Int
        /// The number of elements of a block.
        package var size: Int
    }

    /// One operator of a subgraph.
    public struct Operator: Sendable, Equatable {
        /// The index into the file's operator codes.
        public var codeIndex: Int
        /// The number of the builtin operator; 32 is a custom operator.
        public var builtinCode: Int
        /// The name: `CONV_2D` for example for builtin operators, the custom code for custom ones.
        public var name: String
        /// The version of the operator that the model needs.
        public var version: Int
        /// The inputs as indices into the subgraph's tensors; -1 for an optional input that is omitted.
        public var inputs: [Int]
        /// The outputs as indices into the subgraph's tensors.
        public var outputs: [Int]
        /// Tensors internal to the operator, as indices into the subgraph's tensors.
        public var intermediates: [Int]
        /// Whether the operator changes an input in place as its state.
        public var mutatesInputs: Bool
        /// The subgraphs that this operator runs: a loop's condition and body, a branch's two sides.
        public var calledSubgraphs: [Int]
        /// The number of parts of a split; nil for other operators, and where the options are absent.
        package var splitCount: Int?
        /// The whole numbers of the options that matter for loading, by field of the format, as far as the file has
        /// them.
        package var optionNumbers: [Int: Int] = [:]
        /// The lists of whole numbers in the options of gathers and scatters of StableHLO, by field of the format.
        package var optionLists: [Int: [Int]] = [:]
        /// The width and height of a pooling's window; nil for other operators, and where the options are absent.
        package var poolingWindow: [Int]?
        /// How an LSTM, RNN or SVDF computes; nil for other operators, and where the options are absent.
        package var recurrentOptions: RecurrentOptions?
        /// How a slice with strides reads its operands; nil for other operators, and where the options are absent.
        package var sliceOptions: SliceOptions?
        /// What the options say about the rank of the result; nil for operators whose options say nothing about it, and
        /// where the options are absent.
        package var rankOptions: RankOptions?
        /// The range of a custom operator's options in the file.
        public var customOptions: Range<Int>?
    }

    /// A named way to run a subgraph.
    public struct Signature: Sendable, Equatable {
        /// The signature's name.
        public var key: String
        /// The index of the subgraph that it runs.
        public var subgraph: Int
        /// The names of the inputs.
        public var inputs: [NamedTensor]
        /// The names of the outputs.
        public var outputs: [NamedTensor]

        /// Creates a signature.
        public init(key: String, subgraph: Int, inputs: [NamedTensor], outputs: [NamedTensor]) {
            self.key = key
            self.subgraph = subgraph
            self.inputs = inputs
            self.outputs = outputs
        }
    }

    /// A name for a tensor in a signature.
    public struct NamedTensor: Sendable, Equatable {
        /// The name in the signature, which may differ from the tensor's own.
        public var name: String
        /// The index into the subgraph's tensors.
        public var tensor: Int

        /// Creates a named tensor.
        public init(name: String, tensor: Int) {
            self.name = name
            self.tensor = tensor
        }
    }

    /// A named block of bytes that is stored with the model.
    public struct MetadataEntry: Sendable, Equatable {
        /// The name of the block, such as `TFLITE_METADATA`.
        public var name: String
        /// The range of its bytes in the file; nil when it has none.
        public var data: Range<Int>?
    }
}

extension ModelGraph.Subgraph {
    /// The tensors that a caller fills, in order. Invalid indices of a damaged file are left out.
    public var inputTensors: [ModelGraph.Tensor] { tensors(at: inputs) }

    /// The tensors that a run fills, in order. Invalid indices of a damaged file are left out.
    public var outputTensors: [ModelGraph.Tensor] { tensors(at: outputs) }

    /// The bytes of weights and other constants in the file; those that several tensors share count once.
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
