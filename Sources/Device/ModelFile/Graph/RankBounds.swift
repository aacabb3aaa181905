/// The most dimensions that the tensors of a model can have in a run, whatever shapes the file states for them.
///
/// XNNPACK compares the stated shapes with its limit. Later it copies the shapes of the run into an array for as many
/// dimensions, without a look at their number. So a model must run without XNNPACK if one of its tensors could have more
/// dimensions than the array, though the file states fewer. That is a file with wrong shapes, or one whose shapes nobody
/// can know before the run.
///
/// The bounds follow from what the engine's kernels do with their inputs, as they are in LiteRT 2.3.0. An operator
/// without a rule may give any number of dimensions.
package struct RankBounds {
    /// The length of XNNPACK's array, `XNN_MAX_TENSOR_DIMS`.
    private static let limit = 6

    /// What a tensor can have at most; ``many`` stands for all larger numbers.
    private struct Bound: Equatable {
        var rank: Int
        /// Of a list of sizes, this is the rank of the tensor that gets them.
        var elements: Int

        /// More than the engine's eight dimensions.
        static let many = 9
        static let unknown = Bound(rank: many, elements: many)
        static let nothing = Bound(rank: 0, elements: 0)
        static let scalar = Bound(rank: 0, elements: 1)

        init(rank: Int, elements: Int) {
            self.rank = min(max(rank, 0), Self.many)
            self.elements = min(max(elements, 0), rank <= 0 ? 1 : Self.many)
        }

        init(shape: [Int]) {
            // A factor is limited before it is multiplied, so the product cannot overflow.
            let elements = shape.reduce(1) { min($0 * min($1 < 0 ? Self.many : $1, Self.many), Self.many) }
            self.init(rank: shape.count, elements: elements)
        }

        /// The rank with this many dimensions less. Many stay many, because nobody knows how many they are.
        func rank(less count: Int) -> Int { rank < Self.many ? rank - count : Self.many }

        mutating func widen(by other: Bound) {
            rank = max(rank, other.rank)
            elements = max(elements, other.elements)
        }
    }

    private let graph: ModelGraph
    private let bytes: ModelBytes
    /// By subgraph and tensor.
    private var bounds: [[Bound]]
    /// Of the values of all variables together.
    private var variables = Bound.nothing
    /// Whether nothing widens the bounds any more. Loops and variables need several passes over the graph.
    private var isComplete = false
    private static let mostPasses = 64

    /// - Parameters:
    ///   - model: A model that passed its check for loading.
    ///   - shapes: The current shapes of the inputs of subgraphs, by their index; those that it lacks have the stated
    ///     ones.
    package init(_ model: ModelFile, inputShapes shapes: [Int: [[Int]]] = [:]) {
        graph = model.graph
        bytes = model.bytes
        bounds = graph.subgraphs.map { subgraph in
            subgraph.tensors.map { tensor in
                // What the file stores has the stated shape: the engine compares both.
                let isStored = tensor.data?.isEmpty == false || tensor.isVariable
                return isStored ? Bound(shape: tensor.shape) : .nothing
            }
        }
        for number in Set([0] + graph.signatures.map(\.subgraph)) where graph.subgraphs.indices.contains(number) {
            for (place, input) in graph.subgraphs[number].inputs.enumerated() {
                if let current = shapes[number] {
                    bounds[number][input].widen(by: Bound(shape: current[place]))
                    continue
                }
                let tensor = graph.subgraphs[number].tensors[input]
                bounds[number][input].widen(by: Bound(shape: tensor.shape))
                // An empty signature says nothing, and a size of the shape holds until somebody changes it.
                if let signature = tensor.shapeSignature, !signature.isEmpty {
                    bounds[number][input].widen(by: Bound(shape: signature))
                }
            }
        }
        for _ in 0..<Self.mostPasses where !isComplete { isComplete = !widen() }
    }

    /// A tensor for which XNNPACK could write past its array, in words; nil if there is none.
    ///
    /// - Parameter original: The graph before a ``ModelRewrite``; nil if there was none. What a rewrite adds is not looked
    ///   at: XNNPACK leaves its tensors of many dimensions alone, because they are bytes without a scale.
    package func tensorBeyondXNNPACK(of original: ModelGraph? = nil) -> String? {
        for (number, subgraph) in (original ?? graph).subgraphs.enumerated() {
            for (index, tensor) in subgraph.tensors.enumerated()
            where tensor.shape.count <= Self.limit && (bounds[number][index].rank > Self.limit || !isComplete) {
                return graph.text(tensor: index, in: number)
            }
        }
        return nil
    }

    // MARK: Passes

    /// - Returns: Whether a bound has changed.
    private mutating func widen() -> Bool {
        var isChanged = false
        func raise(_ bound: inout Bound, to other: Bound) {
            let old = bound
            bound.widen(by: other)
            isChanged = isChanged || bound != old
        }
        for (number, subgraph) in graph.subgraphs.enumerated() {
            for operation in subgraph.operators {
                let inputs = operation.inputs.map { $0 < 0 ? .scalar : bounds[number][$0] }
                let rule = Self.rules[operation.builtinCode] ?? .unknown
                switch rule {
                case .call:
                    for called in operation.calledSubgraphs where graph.subgraphs.indices.contains(called) {
                        let inner = graph.subgraphs[called]
                        // The first input of a branch chooses the subgraph.
                        for (place, bound) in zip(inner.inputs, inputs.suffix(inner.inputs.count)) {
                            raise(&bounds[called][place], to: bound)
                        }
                        guard inner.outputs.count == operation.outputs.count else { continue }
                        for (outer, place) in zip(operation.outputs, inner.outputs) {
                            raise(&bounds[number][outer], to: bounds[called][place])
                        }
                    }
                    guard Self.loops.contains(operation.builtinCode) else { continue }
                    for called in operation.calledSubgraphs where graph.subgraphs.indices.contains(called) {
                        for (place, outer) in zip(graph.subgraphs[called].inputs, operation.outputs) {
                            raise(&bounds[called][place], to: bounds[number][outer])
                        }
                    }
                    for (outer, input) in zip(operation.outputs, inputs) { raise(&bounds[number][outer], to: input) }
                case .assignment:
                    if let value = inputs.last { raise(&variables, to: value) }
                case .variable:
                    for output in operation.outputs { raise(&bounds[number][output], to: variables) }
                case .stated, .custom:
                    let least = rule == .custom ? inputs.reduce(3) { max($0, $1.rank) } : 0
                    for output in operation.outputs {
                        let rank = max(least, subgraph.tensors[output].shape.count)
                        raise(&bounds[number][output], to: Bound(rank: rank, elements: Bound.many))
                    }
                default:
                    let bound = result(of: operation, rule, inputs, subgraph)
                    for output in operation.outputs { raise(&bounds[number][output], to: bound) }
                }
            }
        }
        return isChanged
    }

    // MARK: Operators

    /// What the operator gives its outputs, from the bounds of its inputs.
    private func result(
        of operation: ModelGraph.Operator, _ rule: Rule, _ inputs: [Bound], _ subgraph: ModelGraph.Subgraph
    ) -> Bound {
        guard let first = inputs.first else { return rule == .fixed(0) ? .scalar : .unknown }
        let largest = inputs.map(\.rank).max() ?? 0
        switch rule {
        case .elementwise:
            // Several lists are as long as the longest one; tables multiply.
            let several = inputs.filter { $0.elements > 1 }
            let areLists = largest <= 1 || several.count <= 1
            return Bound(
                rank: largest,
                elements: areLists
                    ? inputs.map(\.elements).max() ?? 0 : inputs.reduce(1) { min($0 * $1.elements, Bound.many) })
        case .largest: return Bound(rank: largest, elements: Bound.many)
        case .part: return Bound(rank: largest, elements: inputs.map(\.elements).max() ?? 0)
        case .fixed(let rank): return Bound(rank: rank, elements: rank == 0 ? 1 : Bound.many)
        case .same: return first
        case .oneMore: return Bound(rank: first.rank + 1, elements: Bound.many)
        case .expanded: return Bound(rank: first.rank + 1, elements: first.elements)
        case .list: return Bound(rank: first.rank, elements: inputs.reduce(0) { $0 + $1.elements })
        case .stack: return Bound(rank: largest + 1, elements: inputs.reduce(0) { $0 + $1.elements })
        case .shapeOf: return Bound(rank: 1, elements: first.rank)
        case .count(let place):
            guard inputs.indices.contains(place) else { return .unknown }
            return Bound(rank: inputs[place].elements, elements: Bound.many)
        case .broadcast:
            guard inputs.count > 1 else { return .unknown }
            return Bound(rank: max(first.rank, inputs[1].elements), elements: Bound.many)
        case .oneLess: return Bound(rank: first.rank(less: 1), elements: first.elements)
        case .gatherWindows:
            guard inputs.count > 1 else { return .unknown }
            return Bound(rank: first.rank + inputs[1].rank, elements: Bound.many)
        case .bits, .reshape, .squeeze, .reduction, .slice, .piece, .gather, .gatherEach:
            return resultByOptions(of: operation, rule, inputs, first, subgraph)
        case .unknown, .stated, .custom, .call, .assignment, .variable: return .unknown
        }
    }

    /// What it gives them by the rules that also look at the operator's options, at constants or at types.
    private func resultByOptions(
        of operation: ModelGraph.Operator, _ rule: Rule, _ inputs: [Bound], _ first: Bound,
        _ subgraph: ModelGraph.Subgraph
    ) -> Bound {
        switch rule {
        case .bits:
            let widths = [operation.inputs[0], operation.outputs[0]].map { subgraph.tensors[$0].type.bitWidth }
            guard widths[0] != widths[1] else { return first }
            // The parts of an element are a dimension of their own.
            return Bound(
                rank: widths[0] > widths[1] ? first.rank + 1 : first.rank(less: 1), elements: Bound.many)
        case .reshape:
            let operand = inputs.count > 1 ? inputs[1].elements : 0
            return Bound(
                rank: max(operand, operation.rankOptions?.newShapeCount ?? 0), elements: first.elements)
        case .squeeze:
            let squeezed = Self.leastDistinct(operation.rankOptions?.squeezedDimensions ?? [])
            return Bound(rank: first.rank(less: squeezed), elements: first.elements)
        case .reduction:
            // Of computed dimensions nothing is known: the list of integers is empty.
            let axes = inputs.count > 1 ? subgraph.tensors[operation.inputs[1]].integers(in: bytes) : []
            guard operation.rankOptions?.keepsDimensions ?? false else {
                return Bound(rank: first.rank(less: Self.leastDistinct(axes)), elements: first.elements)
            }
            return Bound(rank: first.rank, elements: first.rank <= 1 && !axes.isEmpty ? 1 : first.elements)
        case .slice:
            return Bound(
                rank: first.rank(less: removedBySlice(operation, subgraph)),
                elements: slicedElements(operation, subgraph, first))
        case .piece:
            let sizes = inputs.count > 2 ? subgraph.tensors[operation.inputs[2]].integers(in: bytes) : []
            // A size of -1 is all that is left.
            guard !sizes.isEmpty, sizes.allSatisfy({ $0 >= 0 }) else { return first }
            return Bound(rank: first.rank, elements: min(first.elements, Bound(shape: sizes).elements))
        case .gather:
            guard inputs.count > 1 else { return .unknown }
            let batch = max(operation.rankOptions?.batchDimensions ?? 0, 0)
            let rank = Bound(rank: first.rank + inputs[1].rank, elements: 0).rank(less: 1 + batch)
            return Bound(rank: rank, elements: first.rank <= 1 ? inputs[1].elements : Bound.many)
        case .gatherEach:
            guard inputs.count > 1 else { return .unknown }
            // An index names as many dimensions as it has numbers: none, for all that a computed one shows.
            let indices = subgraph.tensors[operation.inputs[1]]
            let named = indices.data?.isEmpty == false ? indices.shape.last ?? 0 : 0
            let rank = Bound(rank: first.rank + inputs[1].rank, elements: 0).rank(less: 1 + named)
            return Bound(rank: rank, elements: Bound.many)
        default: return .unknown
        }
    }

    /// The least number of dimensions that a list names: 3 and -1 may be the same one.
    private static func leastDistinct(_ dimensions: [Int]) -> Int {
        let distinct = Set(dimensions)
        return max(distinct.count { $0 >= 0 }, distinct.count { $0 < 0 })
    }

    /// How many dimensions a slice with strides has less than its input.
    private func removedBySlice(_ operation: ModelGraph.Operator, _ subgraph: ModelGraph.Subgraph) -> Int {
        guard let options = operation.sliceOptions else { return 0 }
        let added = options.newAxisMask
        // Where an ellipsis stands for several dimensions, and where the list of strides is not constant, the bits do
        // not say which dimensions go.
        let strides = operation.inputs.last.map { subgraph.tensors[$0] }
        guard options.ellipsisMask == 0, let strides, strides.data?.isEmpty == false else {
            return -added.nonzeroBitCount
        }
        let length = strides.shape.reduce(1, *)
        let removed = (0..<min(length, 32)).count { options.shrinkMask & ~added & (1 << $0) != 0 }
        return removed - added.nonzeroBitCount
    }

    /// How many elements a slice with strides has at most.
    private func slicedElements(
        _ operation: ModelGraph.Operator, _ subgraph: ModelGraph.Subgraph, _ first: Bound
    ) -> Int {
        let numbers = operation.inputs.dropFirst().map { subgraph.tensors[$0].integers(in: bytes).first }
        guard first.rank <= 1, let options = operation.sliceOptions, options.ellipsisMask | options.newAxisMask == 0,
            !options.endsAreOffsets, numbers.count == 3, let stride = numbers[2], stride > 0
        else { return first.elements }
        if options.shrinkMask & 1 != 0 { return 1 }
        // Negative places count from the end. The end of a list that may have many elements is not known.
        let length = first.elements < Bound.many ? first.elements : nil
        guard let begin = options.beginMask & 1 != 0 ? 0 : numbers[0] else { return first.elements }
        guard let end = options.endMask & 1 != 0 ? 0 : numbers[1] else { return first.elements }
        let isEndFromEnd = options.endMask & 1 != 0 || end < 0
        let count: Int?
        switch (begin < 0, isEndFromEnd) {
        case (false, false): count = end - begin
        case (true, true): count = end - begin
        case (false, true): count = length.map { $0 + end - begin }
        case (true, false): count = end
        }
        guard let count else { return first.elements }
        return min(first.elements, (max(count, 0) + stride - 1) / stride)
    }
}

// MARK: The engine's kernels

extension RankBounds {
    /// What an operator gives its outputs.
    private enum Rule: Equatable {
        /// As many dimensions as the input with the most, and elements as a sum of the inputs has.
        case elementwise
        /// As many dimensions as the input with the most.
        case largest
        /// As many dimensions as the input with the most, and no more elements than one of the inputs.
        case part
        case fixed(Int)
        /// As the first input.
        case same
        /// One dimension more than the first input.
        case oneMore
        /// The bits of the first input as elements of another width.
        case bits
        /// One dimension more than the first input, and its elements.
        case expanded
        case oneLess
        /// The elements of all inputs, one after the other.
        case list
        /// The elements of all inputs, one after the other, with one dimension more than the input with the most.
        case stack
        case shapeOf
        /// As many dimensions as the input at this place has elements.
        case count(Int)
        case broadcast
        case reshape
        case squeeze
        case reduction
        case slice
        /// A part with constant sizes has that many elements.
        case piece
        case gather
        case gatherEach
        case gatherWindows
        /// What the file states: the kernel that takes its output's shape from there.
        case stated
        /// What the file states, or what Hearth's and the engine's own kernels make: at most as many dimensions as the
        /// input with the most, or three.
        case custom
        case call
        case assignment
        case variable
        case unknown
    }

    private static let loops = codes("WHILE STABLEHLO_WHILE")

    private static func codes(_ names: String) -> Set<Int> {
        names.split(separator: " ").reduce(into: []) { $0.formUnion(BuiltinOperator.codes(String($1))) }
    }

    private static let rules: [Int: Rule] = {
        var rules: [Int: Rule] = [BuiltinOperator.custom: .custom]
        for (names, rule) in table {
            for code in codes(names) { rules[code] = rule }
        }
        return rules
    }()

    private static let table: [(String, Rule)] = [
        (
            """
            ABS ADD ADD_N ATAN2 BITWISE_XOR CAST CEIL COMPLEX_ABS COS DEQUANTIZE DIV ELU EQUAL EXP FAKE_QUANT FLOOR \
            FLOOR_DIV FLOOR_MOD GELU GREATER GREATER_EQUAL HARD_SWISH IMAG LEAKY_RELU LESS LESS_EQUAL LOG LOGICAL_AND \
            LOGICAL_NOT LOGICAL_OR LOGISTIC MAXIMUM MINIMUM MUL NEG NOT_EQUAL POW QUANTIZE REAL RELU RELU6 RELU_0_TO_1 \
            RELU_N1_TO_1 RIGHT_SHIFT ROUND RSQRT SELECT SELECT_V2 SIGN SIN SQRT SQUARE SQUARED_DIFFERENCE \
            STABLEHLO_ADD STABLEHLO_AND STABLEHLO_MAXIMUM STABLEHLO_MINIMUM STABLEHLO_MULTIPLY STABLEHLO_SHIFT_LEFT \
            SUB TANH ZEROS_LIKE
            """, .elementwise
        ),
        (
            """
            AVERAGE_POOL_2D BATCH_MATMUL BATCH_TO_SPACE_ND BIDIRECTIONAL_SEQUENCE_LSTM BIDIRECTIONAL_SEQUENCE_RNN \
            BUCKETIZE CONV_2D CONV_3D CONV_3D_TRANSPOSE DENSIFY DEPTHWISE_CONV_2D DEPTH_TO_SPACE DILATE \
            EMBEDDING_LOOKUP FULLY_CONNECTED HASHTABLE_FIND HASHTABLE_LOOKUP L2_NORMALIZATION L2_POOL_2D \
            LOCAL_RESPONSE_NORMALIZATION LOG_SOFTMAX LSH_PROJECTION LSTM MATRIX_SET_DIAG MAX_POOL_2D MIRROR_PAD \
            NON_MAX_SUPPRESSION_V4 NON_MAX_SUPPRESSION_V5 PAD PADV2 PRELU REDUCE_WINDOW RESIZE_BILINEAR \
            RESIZE_NEAREST_NEIGHBOR RFFT2D RNN SEGMENT_SUM SOFTMAX SPACE_TO_BATCH_ND SPACE_TO_DEPTH STABLEHLO_PAD \
            STABLEHLO_REDUCE_WINDOW STABLEHLO_SCATTER SVDF TILE TRANSPOSE_CONV UNIDIRECTIONAL_SEQUENCE_LSTM \
            UNIDIRECTIONAL_SEQUENCE_RNN UNSORTED_SEGMENT_MAX UNSORTED_SEGMENT_MIN UNSORTED_SEGMENT_PROD \
            UNSORTED_SEGMENT_SUM
            """, .largest
        ),
        ("BROADCAST_ARGS SPLIT SPLIT_V", .part),
        ("CUMSUM DYNAMIC_UPDATE_SLICE REVERSE_SEQUENCE REVERSE_V2 TOPK_V2 TRANSPOSE UNIQUE", .same), ("SLICE", .piece),
        ("EXPAND_DIMS", .expanded), ("BITCAST", .bits), ("MATRIX_DIAG ONE_HOT", .oneMore), ("PACK", .stack),
        ("CONCATENATION", .list), ("SHAPE", .shapeOf), ("UNPACK ARG_MAX ARG_MIN", .oneLess),
        ("HASHTABLE RANK VAR_HANDLE", .fixed(0)), ("HASHTABLE_SIZE RANGE", .fixed(1)), ("MULTINOMIAL WHERE", .fixed(2)),
        ("FILL RANDOM_STANDARD_NORMAL RANDOM_UNIFORM", .count(0)), ("SPARSE_TO_DENSE", .count(1)),
        ("SCATTER_ND", .count(2)), ("BROADCAST_TO", .broadcast), ("RESHAPE", .reshape), ("SQUEEZE", .squeeze),
        ("MEAN REDUCE_ALL REDUCE_ANY REDUCE_MAX REDUCE_MIN REDUCE_PROD SUM", .reduction), ("STRIDED_SLICE", .slice),
        ("GATHER", .gather), ("GATHER_ND", .gatherEach), ("STABLEHLO_GATHER", .gatherWindows),
        ("STABLEHLO_RNG_BIT_GENERATOR", .stated),
        ("CALL CALL_ONCE IF STABLEHLO_CASE STABLEHLO_COMPOSITE STABLEHLO_WHILE WHILE", .call),
        ("ASSIGN_VARIABLE", .assignment), ("READ_VARIABLE", .variable),
    ]
}
