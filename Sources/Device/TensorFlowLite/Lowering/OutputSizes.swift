import HearthModelFile

/// What the engine needs to know the size of an operator's outputs before a run.
///
/// A table of the engine's own kernels, as they are in LiteRT 2.3.0. A kernel is prepared before a run. If it cannot
/// size its outputs then, it declares them as dynamic. An operator that the table lacks counts as such a one. Only
/// constants of the file count as constants here. The engine also knows some results in advance, such as that of
/// `SHAPE`. To take those for unknown costs a copy of each output, and no more.
struct OutputSizes {
    /// Builtin operators that need no more than the shapes of their inputs.
    var fromShapes: Set<String>
    /// Builtin operators that also need the values of these inputs, by place. So these must be constants.
    var fromConstants: [String: [Int]]
    /// Builtin operators that wait for the run if the shape signature of their first input leaves a size open, whatever
    /// the size is by then.
    var withoutOpenSizes: Set<String>
    /// Custom operators that need no more than the shapes of their inputs.
    var customFromShapes: Set<String>
    /// Custom operators that never size their outputs. They write as many bytes as their input has, so its shape must be
    /// the one that the file states.
    var customOfStatedShape: Set<String>

    /// Whether the engine sizes the operator's outputs before a run, if it knows the shapes of the inputs.
    func areKnownBeforeRun(of operation: ModelGraph.Operator, in subgraph: ModelGraph.Subgraph) -> Bool {
        let tensors = subgraph.tensors
        func tensor(_ place: Int) -> ModelGraph.Tensor? {
            guard operation.inputs.indices.contains(place) else { return nil }
            let index = operation.inputs[place]
            return tensors.indices.contains(index) ? tensors[index] : nil
        }
        let outputs = operation.outputs.filter(tensors.indices.contains)
        guard !outputs.isEmpty else { return true }
        guard outputs.allSatisfy({ !Self.dynamicTypes.contains(tensors[$0].type) }) else { return false }
        guard operation.builtinCode != Self.customCode else { return customFromShapes.contains(operation.name) }
        if withoutOpenSizes.contains(operation.name), tensor(0)?.shapeSignature?.contains(-1) == true { return false }
        if fromShapes.contains(operation.name) { return true }
        guard let places = fromConstants[operation.name] else { return false }
        // An input that is left out is a number in the options.
        return places.allSatisfy { tensor($0).map { $0.data != nil } ?? true }
    }

    /// Whether the operator's output keeps the shape that the file states, whatever the input's is.
    func keepsStatedShape(_ operation: ModelGraph.Operator) -> Bool {
        operation.builtinCode == Self.customCode && customOfStatedShape.contains(operation.name)
    }

    /// The number of custom operators in the file format.
    static let customCode = 32

    /// The engine allocates tensors of these types only when it knows their contents.
    private static let dynamicTypes: Set<ElementType> = [.string, .resource, .variant]
}

extension OutputSizes {
    static let engine = OutputSizes(
        fromShapes: [
            // Element by element
            "ABS", "ADD", "ADD_N", "ATAN2", "BITCAST", "BITWISE_XOR", "BUCKETIZE", "CAST", "CEIL", "COMPLEX_ABS", "COS",
            "DEQUANTIZE", "DIV", "ELU", "EQUAL", "EXP", "FAKE_QUANT", "FLOOR", "FLOOR_DIV", "FLOOR_MOD", "GELU",
            "GREATER", "GREATER_EQUAL", "HARD_SWISH", "IMAG", "LEAKY_RELU", "LESS", "LESS_EQUAL", "LOG", "LOGICAL_AND",
            "LOGICAL_NOT", "LOGICAL_OR", "LOGISTIC", "MAXIMUM", "MINIMUM", "MUL", "NEG", "NOT_EQUAL", "POW", "PRELU",
            "QUANTIZE", "REAL", "RELU", "RELU6", "RELU_0_TO_1", "RELU_N1_TO_1", "RIGHT_SHIFT", "ROUND", "RSQRT",
            "SELECT", "SELECT_V2", "SIGN", "SIN", "SQRT", "SQUARE", "SQUARED_DIFFERENCE", "STABLEHLO_ADD",
            "STABLEHLO_AND", "STABLEHLO_MAXIMUM", "STABLEHLO_MINIMUM", "STABLEHLO_MULTIPLY", "STABLEHLO_SHIFT_LEFT",
            "SUB", "TANH", "ZEROS_LIKE",
            // Matrices, images and cells that keep state
            "AVERAGE_POOL_2D", "BATCH_MATMUL", "BIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_RNN", "CONV_2D",
            "CONV_3D", "DEPTHWISE_CONV_2D", "DEPTH_TO_SPACE", "FULLY_CONNECTED", "L2_NORMALIZATION", "L2_POOL_2D",
            "LOCAL_RESPONSE_NORMALIZATION", "LOG_SOFTMAX", "LSTM", "MAX_POOL_2D", "RNN", "SOFTMAX", "SPACE_TO_DEPTH",
            "SVDF", "UNIDIRECTIONAL_SEQUENCE_LSTM", "UNIDIRECTIONAL_SEQUENCE_RNN",
            // Shapes, lookups and others
            "BROADCAST_ARGS", "CONCATENATION", "CUMSUM", "DENSIFY", "DYNAMIC_UPDATE_SLICE", "EMBEDDING_LOOKUP",
            "GATHER", "GATHER_ND", "HASHTABLE_FIND", "HASHTABLE_LOOKUP", "HASHTABLE_SIZE", "LSH_PROJECTION",
            "MATRIX_DIAG", "MATRIX_SET_DIAG", "PACK", "RANK", "REVERSE_SEQUENCE", "REVERSE_V2", "SHAPE", "SQUEEZE",
            "STABLEHLO_GATHER", "STABLEHLO_PAD", "STABLEHLO_REDUCE_WINDOW", "STABLEHLO_RNG_BIT_GENERATOR",
            "STABLEHLO_SCATTER", "UNPACK",
        ],
        fromConstants: [
            "ARG_MAX": [1], "ARG_MIN": [1], "BATCH_TO_SPACE_ND": [1, 2], "BROADCAST_TO": [1], "CONV_3D_TRANSPOSE": [0],
            "DILATE": [1], "EXPAND_DIMS": [1], "FILL": [0], "MEAN": [1], "MIRROR_PAD": [1], "MULTINOMIAL": [0, 1],
            "NON_MAX_SUPPRESSION_V4": [2], "NON_MAX_SUPPRESSION_V5": [2], "ONE_HOT": [1], "PAD": [1], "PADV2": [1],
            "RANDOM_STANDARD_NORMAL": [0], "RANDOM_UNIFORM": [0], "RANGE": [0, 1, 2], "REDUCE_ALL": [1],
            "REDUCE_ANY": [1], "REDUCE_MAX": [1], "REDUCE_MIN": [1], "REDUCE_PROD": [1], "REDUCE_WINDOW": [2, 3, 4],
            "RESHAPE": [1], "RESIZE_BILINEAR": [1], "RESIZE_NEAREST_NEIGHBOR": [1], "RFFT2D": [1], "SCATTER_ND": [2],
            "SEGMENT_SUM": [0, 1], "SLICE": [1, 2], "SPACE_TO_BATCH_ND": [1, 2], "SPARSE_TO_DENSE": [1], "SPLIT": [0],
            "SPLIT_V": [1, 2], "STRIDED_SLICE": [1, 2, 3], "SUM": [1], "TILE": [1], "TOPK_V2": [1], "TRANSPOSE": [1],
            "TRANSPOSE_CONV": [0], "UNSORTED_SEGMENT_MAX": [1, 2], "UNSORTED_SEGMENT_MIN": [1, 2],
            "UNSORTED_SEGMENT_PROD": [1, 2], "UNSORTED_SEGMENT_SUM": [1, 2], "WHERE": [0],
        ],
        withoutOpenSizes: ["SLICE", "TOPK_V2"],
        customFromShapes: ["AudioSpectrogram", "Mfcc", "TFLite_Detection_PostProcess"],
        customOfStatedShape: ["aeq.hadamard_rotation"])
}

/// The tensors of a subgraph whose size may be known only during a run.
///
/// The engine prepares operators in turn, and stops after the first one whose outputs it cannot size. It prepares the
/// rest during the run. So in a subgraph with such an operator no computed shape is sure before a run, not even that of
/// a tensor that does not depend on the operator.
struct DataDependentShapes {
    private var names: [Int: String] = [:]
    /// Whether the engine prepares some operators only during a run.
    private(set) var areAny = false

    init(_ subgraph: ModelGraph.Subgraph, _ sizes: OutputSizes) {
        for operation in subgraph.operators {
            let isKnown = sizes.areKnownBeforeRun(of: operation, in: subgraph)
            areAny = areAny || !isKnown
            let inherited = operation.inputs.lazy.compactMap { [names] in names[$0] }.first
            guard let name = isKnown ? inherited : operation.name else { continue }
            for output in operation.outputs { names[output] = name }
        }
    }

    /// The nearest operator before the tensor whose output size depends on data.
    func operatorName(forTensor index: Int) -> String? {
        names[index]
    }
}
