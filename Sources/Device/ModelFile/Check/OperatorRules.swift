extension LoadingCheck {
    private static let split = BuiltinOperator.codes("SPLIT", "SPLIT_V")

    /// R9: a split states its number of parts, and has as many outputs. Otherwise the engine follows a null pointer.
    func requireSplitCounts() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard Self.split.contains(node.builtinCode), node.splitCount != node.outputs.count else { return }
            throw Self.damaged(
                """
                \(graph.text(operator: number, in: subgraph)) has no number of parts, or one that is not its \
                number of outputs
                """
            )
        }
    }

    private static let variableHandle = BuiltinOperator.codes("VAR_HANDLE")

    /// R12: the handle of a variable is a resource. The kernel writes the handle into any tensor, which may be too
    /// small for it.
    func requireResourceHandles() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard Self.variableHandle.contains(node.builtinCode),
                let other = node.outputs.first(where: { graph.subgraphs[subgraph].tensors[$0].type != .resource })
            else { return }
            throw Self.damaged(
                """
                \(graph.text(operator: number, in: subgraph)) makes a handle, but \
                \(graph.text(tensor: other, in: subgraph)) is not a resource
                """)
        }
    }

    /// R13: the window of a pooling has a positive size, because kernels compute addresses with it.
    func requirePoolingWindows() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard let window = node.poolingWindow, !window.allSatisfy({ $0 > 0 }) else { return }
            throw Self.damaged(
                "\(graph.text(operator: number, in: subgraph)) has a window of \(window[0]) x \(window[1])")
        }
    }
}

extension LoadingCheck {
    private static let slice = BuiltinOperator.codes("STRIDED_SLICE")

    /// R16: a slice with strides has a stride for each begin. If its ends are relative to computed begins, only the
    /// ends and strides determine the result's size: then both are constants, and no mask changes the slice.
    func requireConsistentSlices() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard Self.slice.contains(node.builtinCode) else { return }
            let tensors = node.inputs.map { graph.subgraphs[subgraph].tensors[$0] }
            let (begin, end, strides) = (tensors[1], tensors[2], tensors[3])
            if let begins = begin.elementCount, let count = strides.elementCount, begins != count {
                throw Self.damaged(
                    "\(graph.text(operator: number, in: subgraph)) has \(count) strides for \(begins) begins")
            }
            guard let options = node.sliceOptions, options.endsAreOffsets else { return }
            let rank = tensors[0].shape.count
            let (ends, steps) = (end.integers(in: bytes), strides.integers(in: bytes))
            guard ends.count >= rank, steps.count >= rank, ends.allSatisfy({ $0 >= 0 }), steps.allSatisfy({ $0 > 0 }),
                options.endMask == 0, options.ellipsisMask == 0, options.newAxisMask == 0
            else {
                throw Self.unsupported(
                    """
                    \(graph.text(operator: number, in: subgraph)) counts its ends from its begins, and its ends, \
                    strides or masks do not determine the size of its result
                    """)
            }
        }
    }
}

extension LoadingCheck {
    private static let setDiagonal = BuiltinOperator.codes("MATRIX_SET_DIAG")
    private static let sum = BuiltinOperator.codes("ADD")
    private static let broadcast = BuiltinOperator.codes("BROADCAST_ARGS")
    private static let reversal = BuiltinOperator.codes("REVERSE_SEQUENCE")
    private static let sparseLookup = BuiltinOperator.codes("EMBEDDING_LOOKUP_SPARSE")
    private static let gather = BuiltinOperator.codes("STABLEHLO_GATHER")
    private static let scatter = BuiltinOperator.codes("STABLEHLO_SCATTER")

    /// R16: the shapes and options of operators fit each other where kernels compute addresses with them.
    func requireConsistentShapes() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            let tensors = graph.subgraphs[subgraph].tensors
            let isConsistent: Bool
            switch node.builtinCode {
            case let code where Self.setDiagonal.contains(code):
                let (matrix, diagonal) = (tensors[node.inputs[0]].shape, tensors[node.inputs[1]].shape)
                isConsistent = diagonal == matrix.dropLast(2) + [matrix.suffix(2).min() ?? 0]
            case let code where Self.sum.contains(code):
                // Sizes of 1 in front repeat nothing.
                let shapes = node.inputs.compactMap { tensors[$0].knownShape?.drop { $0 == 1 } }
                isConsistent = Set(shapes).count < 2 || !addsByShifts(node, tensors)
            case let code where Self.broadcast.contains(code):
                // Computed shapes are known only during the run.
                let shapes = node.inputs.map { tensors[$0].integers(in: bytes).reversed() }
                isConsistent = zip(shapes[0], shapes[1]).allSatisfy { $0 == $1 || $0 == 1 || $1 == 1 }
            case let code where Self.reversal.contains(code):
                let shape = tensors[node.inputs[0]].shape
                let dimension = node.optionNumbers[0] ?? 0
                isConsistent = tensors[node.inputs[1]].integers(in: bytes).allSatisfy {
                    dimension < shape.count && (0...max(shape[dimension], 0)).contains($0)
                }
            case let code where Self.sparseLookup.contains(code):
                isConsistent = areInside(tensors[node.inputs[1]], of: tensors[node.inputs[2]])
            case let code where Self.gather.contains(code):
                isConsistent = WindowedLookup(gather: node, tensors)?.isConsistent ?? false
            case let code where Self.scatter.contains(code):
                isConsistent = WindowedLookup(scatter: node, tensors)?.isConsistent ?? false
            default: return
            }
            guard isConsistent else {
                throw Self.damaged(
                    "\(graph.text(operator: number, in: subgraph)) has shapes and options that do not fit each other")
            }
        }
    }

    /// Whether a sum of int16 operands is calculated by shifts, which its scales and options decide. That kernel ends the
    /// process if one operand must be repeated to fit the other.
    private func addsByShifts(_ node: ModelGraph.Operator, _ tensors: [ModelGraph.Tensor]) -> Bool {
        let operands = (node.inputs + node.outputs).map { tensors[$0] }
        return node.optionNumbers[1] ?? 0 != 0
            && operands.allSatisfy { $0.type == .int16 && $0.quantization?.scales.first?.significand == 1 }
    }

    /// Whether each index is inside the shape, except its last number, which the kernel does not use. Computed indices
    /// are known only during the run.
    private func areInside(_ indices: ModelGraph.Tensor, of shape: ModelGraph.Tensor) -> Bool {
        guard indices.shape.count == 2 else { return true }
        let lengths = shape.integers(in: bytes)
        let width = indices.shape[1]
        guard width != 0, lengths.allSatisfy({ $0 >= 0 }) else { return false }
        guard width > 0, !lengths.isEmpty else { return true }
        return lengths.count == width
            && indices.integers(in: bytes).enumerated().allSatisfy { place, number in
                place % width == width - 1 || (0..<lengths[place % width]).contains(number)
            }
    }
}

/// A gather or scatter of StableHLO: windows of a tensor, at the places that indices name.
private struct WindowedLookup {
    /// The tensor from which windows are read, or into which they are written.
    let operand: [Int]
    let indices: [Int]
    /// The tensor with a window for each place: the result of a gather, the updates of a scatter.
    let windows: [Int]
    /// The dimensions of `windows` that belong to a window.
    let windowDimensions: [Int]
    /// The dimensions of `operand` that windows lack.
    let collapsed: [Int]
    /// For each number of an index, its dimension of `operand`.
    let indexMap: [Int]
    /// The dimension of `indices` that holds the numbers of one index.
    let vectorDimension: Int
    /// The length of a window in each dimension of `operand`; nil where `windows` determines it.
    let sizes: [Int]?

    init?(gather node: ModelGraph.Operator, _ tensors: [ModelGraph.Tensor]) {
        guard let windowDimensions = node.optionLists[0], let collapsed = node.optionLists[1],
            let map = node.optionLists[2], let vector = node.optionLists[3]?.first, let sizes = node.optionLists[4]
        else { return nil }
        self.init(
            operand: tensors[node.inputs[0]].shape, indices: tensors[node.inputs[1]].shape,
            windows: tensors[node.outputs[0]].shape, windowDimensions: windowDimensions, collapsed: collapsed,
            indexMap: map, vectorDimension: vector, sizes: sizes)
    }

    init?(scatter node: ModelGraph.Operator, _ tensors: [ModelGraph.Tensor]) {
        guard let windowDimensions = node.optionLists[1], let collapsed = node.optionLists[2],
            let map = node.optionLists[3], let vector = node.optionLists[4]?.first
        else { return nil }
        self.init(
            operand: tensors[node.inputs[0]].shape, indices: tensors[node.inputs[1]].shape,
            windows: tensors[node.inputs[2]].shape, windowDimensions: windowDimensions, collapsed: collapsed,
            indexMap: map, vectorDimension: vector, sizes: nil)
    }

    private init(
        operand: [Int], indices: [Int], windows: [Int], windowDimensions: [Int], collapsed: [Int], indexMap: [Int],
        vectorDimension: Int, sizes: [Int]?
    ) {
        self.operand = operand
        self.indices = indices
        self.windows = windows
        self.windowDimensions = windowDimensions
        self.collapsed = collapsed
        self.indexMap = indexMap
        self.vectorDimension = vectorDimension
        self.sizes = sizes
    }

    var isConsistent: Bool {
        guard isList(windowDimensions, below: windows.count), isList(collapsed, below: operand.count),
            isList(indexMap, below: operand.count, inOrder: false), (0...indices.count).contains(vectorDimension)
        else { return false }
        let numbersPerIndex = vectorDimension < indices.count ? indices[vectorDimension] : 1
        var places = indices
        if vectorDimension < places.count { places.remove(at: vectorDimension) }
        let kept = operand.indices.filter { !collapsed.contains($0) }
        guard indexMap.count == numbersPerIndex, kept.count == windowDimensions.count,
            windows.count == windowDimensions.count + places.count
        else { return false }
        let outer = windows.indices.filter { !windowDimensions.contains($0) }.map { windows[$0] }
        guard outer == places else { return false }
        guard let sizes else {
            return zip(kept, windowDimensions).allSatisfy { windows[$1] <= operand[$0] }
        }
        return sizes.count == operand.count && zip(sizes, operand).allSatisfy { (0...max($1, 0)).contains($0) }
            && collapsed.allSatisfy { sizes[$0] == 1 }
            && zip(kept, windowDimensions).allSatisfy { windows[$1] == sizes[$0] }
    }

    /// Whether all dimensions exist, each at most once.
    private func isList(_ dimensions: [Int], below rank: Int, inOrder: Bool = true) -> Bool {
        dimensions.allSatisfy { (0..<rank).contains($0) } && Set(dimensions).count == dimensions.count
            && (!inOrder || dimensions == dimensions.sorted())
    }
}
