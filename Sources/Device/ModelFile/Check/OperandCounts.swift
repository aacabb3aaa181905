/// How many inputs and outputs operators have at least. Lists of operands that vary (the tensors that are joined, the
/// parts of a split, a loop's variables) count as far as one must be there; inputs that may be absent do not count.
enum OperandCounts {
    /// The least numbers for a builtin operator; zeros for operators that need none or whose numbers are not known.
    static func least(for code: Int) -> (inputs: Int, outputs: Int) {
        least[code] ?? (0, 0)
    }

    private static let least: [Int: (inputs: Int, outputs: Int)] = {
        var counts: [Int: (inputs: Int, outputs: Int)] = [:]
        for (inputs, outputs, codes) in groups {
            for code in codes { counts[code] = (inputs, outputs) }
        }
        return counts
    }()

    private static let groups: [(inputs: Int, outputs: Int, codes: Set<Int>)] = [
        (0, 1, BuiltinOperator.numbers("HASHTABLE", "STABLEHLO_IOTA", "VAR_HANDLE")),
        (
            1, 1,
            BuiltinOperator.numbers(
                "ABS", "ADD_N", "AVERAGE_POOL_2D", "BITCAST", "BUCKETIZE", "CAST", "CEIL", "COMPLEX_ABS",
                "CONCATENATION", "COS", "DENSIFY", "DEPTH_TO_SPACE", "DEQUANTIZE", "ELU", "EXP", "FAKE_QUANT", "FLOOR",
                "GELU", "HARD_SWISH", "HASHTABLE_SIZE", "IMAG", "L2_NORMALIZATION", "L2_POOL_2D", "LEAKY_RELU",
                "LOCAL_RESPONSE_NORMALIZATION", "LOG", "LOG_SOFTMAX", "LOGICAL_NOT", "LOGISTIC", "MATRIX_DIAG",
                "MAX_POOL_2D", "NEG", "PACK", "QUANTIZE", "RANDOM_STANDARD_NORMAL", "RANDOM_UNIFORM", "RANK",
                "READ_VARIABLE", "REAL", "RELU", "RELU6", "RELU_0_TO_1", "RELU_N1_TO_1", "RESHAPE", "ROUND", "RSQRT",
                "SHAPE", "SIGN", "SIN", "SKIP_GRAM", "SOFTMAX", "SPACE_TO_DEPTH", "SQRT", "SQUARE", "SQUEEZE", "TANH",
                "UNPACK", "WHERE", "ZEROS_LIKE")
        ),
        (1, 2, BuiltinOperator.numbers("UNIQUE")),
        (2, 0, BuiltinOperator.numbers("ASSIGN_VARIABLE")),
        (
            2, 1,
            BuiltinOperator.numbers(
                "ADD", "ARG_MAX", "ARG_MIN", "ATAN2", "BATCH_MATMUL", "BITWISE_XOR", "BROADCAST_ARGS", "BROADCAST_TO",
                "CONV_2D", "CONV_3D", "CUMSUM", "DEPTHWISE_CONV_2D", "DIV", "EMBEDDING_LOOKUP", "EQUAL", "EXPAND_DIMS",
                "FILL", "FLOOR_DIV", "FLOOR_MOD", "FULLY_CONNECTED", "GATHER", "GATHER_ND", "GREATER", "GREATER_EQUAL",
                "LESS", "LESS_EQUAL", "LOGICAL_AND", "LOGICAL_OR", "LSH_PROJECTION", "MATRIX_SET_DIAG", "MAXIMUM",
                "MEAN", "MINIMUM", "MIRROR_PAD", "MUL", "MULTINOMIAL", "NOT_EQUAL", "PAD", "POW", "PRELU",
                "REDUCE_ALL", "REDUCE_ANY", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD", "RESIZE_BILINEAR",
                "RESIZE_NEAREST_NEIGHBOR", "REVERSE_SEQUENCE", "REVERSE_V2", "RFFT2D", "RIGHT_SHIFT", "SEGMENT_SUM",
                "SPLIT", "SQUARED_DIFFERENCE", "SUB", "SUM", "TILE", "TRANSPOSE")
        ),
        (2, 2, BuiltinOperator.numbers("TOPK_V2")),
        (3, 0, BuiltinOperator.numbers("HASHTABLE_IMPORT")),
        (
            3, 1,
            BuiltinOperator.numbers(
                "BATCH_TO_SPACE_ND", "CONV_3D_TRANSPOSE", "DILATE", "DYNAMIC_UPDATE_SLICE", "HASHTABLE_FIND", "PADV2",
                "RANGE", "SCATTER_ND", "SELECT", "SELECT_V2", "SLICE", "SPACE_TO_BATCH_ND", "SPLIT_V", "TRANSPOSE_CONV",
                "UNSORTED_SEGMENT_MAX", "UNSORTED_SEGMENT_MIN", "UNSORTED_SEGMENT_PROD", "UNSORTED_SEGMENT_SUM")
        ),
        (3, 2, BuiltinOperator.numbers("HASHTABLE_LOOKUP")),
        (4, 1, BuiltinOperator.numbers("ONE_HOT", "SPARSE_TO_DENSE", "STRIDED_SLICE")),
        (5, 1, BuiltinOperator.numbers("EMBEDDING_LOOKUP_SPARSE")),
        (5, 2, BuiltinOperator.numbers("NON_MAX_SUPPRESSION_V4")),
        (6, 2, BuiltinOperator.numbers("NON_MAX_SUPPRESSION_V5")),
    ]
}
