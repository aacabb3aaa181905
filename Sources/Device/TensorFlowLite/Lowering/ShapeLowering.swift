import HearthModelFile

/// Changes operators whose results would get wrong shapes.
///
/// - `RESHAPE` by a shape that depends on data works in its input's memory if it can. Then the engine does not see that
///   the result has another shape than in the run before, and prepares no operator after it. So the operator gets a copy,
///   whose memory it does not use.
/// - XNNPACK takes over variables of its own types. It keeps the memory that a variable has at first, also when it writes
///   more, and follows a null pointer where an operator reads a variable twice. So their bits are stored as elements of
///   a type that XNNPACK leaves alone.
/// - `READ_VARIABLE` copies as many bytes as its stated shape has, also from a smaller variable. Without a stated shape,
///   the result gets the variable's.
/// - `STABLEHLO_COMPOSITE` is replaced by its subgraph, but its results keep the shapes that the caller states. They get
///   those that the subgraph states, which may be open.
enum ShapeLowering {
    /// - Returns: Whether there is something to change.
    static func apply(to rewrite: inout ModelRewrite, of graph: ModelGraph, _ sizes: OutputSizes) -> Bool {
        var isChanged = false
        let called = graph.calledSubgraphs
        for (number, subgraph) in graph.subgraphs.enumerated() {
            let dependence = DataDependence(subgraph, sizes, areInputShapesOpen: called.contains(number))
            let computed = Set(subgraph.operators.flatMap(\.outputs))
            func restate(_ tensor: Int, as shape: [Int], _ signature: [Int]?) {
                let old = subgraph.tensors[tensor]
                guard old.shape != shape || old.shapeSignature != signature else { return }
                rewrite.restateShape(ofTensor: tensor, inSubgraph: number, as: shape, signature: signature)
                isChanged = true
            }
            for (place, operation) in subgraph.operators.enumerated() {
                switch operation.name {
                case _ where operation.builtinCode == OutputSizes.customCode: continue
                case "RESHAPE" where dependence.isReshapedByData(operation, of: computed):
                    rewrite.copyInput(ofOperator: place, inSubgraph: number)
                    isChanged = true
                case "ASSIGN_VARIABLE":
                    guard let value = operation.inputs.last, let type = storedType(of: subgraph.tensors[value]) else {
                        continue
                    }
                    rewrite.reinterpretInput(
                        operation.inputs.count - 1, ofOperator: place, inSubgraph: number, as: type)
                    isChanged = true
                case "READ_VARIABLE":
                    guard let result = operation.outputs.first else { continue }
                    if let type = storedType(of: subgraph.tensors[result]) {
                        rewrite.reinterpretOutput(0, ofOperator: place, inSubgraph: number, as: type)
                        isChanged = true
                    } else {
                        restate(result, as: [], nil)
                    }
                case "STABLEHLO_COMPOSITE":
                    guard let inner = operation.calledSubgraphs.first.map({ graph.subgraphs[$0] }) else { continue }
                    for (output, stated) in zip(operation.outputs, inner.outputs) {
                        restate(output, as: inner.tensors[stated].shape, inner.tensors[stated].shapeSignature)
                    }
                default: continue
                }
            }
        }
        return isChanged
    }

    /// The type of the elements that stand in a variable for those of the tensor; nil if they can be stored themselves. No
    /// two types that models use have the same one, so that the engine still refuses to read what has another type.
    private static func storedType(of tensor: ModelGraph.Tensor) -> ElementType? {
        switch tensor.type {
        case .float32: .uint32
        case .float16: .uint16
        case .int8: .uint8
        case .uint8: .int8
        default: nil
        }
    }
}

/// Which tensors of a subgraph can change their shapes or values from run to run, while its inputs keep their shapes.
///
/// The engine prepares an operator once for what stays. An operator counts as pure if ``OutputSizes`` knows it.
private struct DataDependence {
    private let tensors: [ModelGraph.Tensor]
    private var changesShape: Set<Int> = []
    private var changesValues: Set<Int>

    /// - Parameter areInputShapesOpen: Whether the inputs' shapes can change, too, as those of a loop's body.
    init(_ subgraph: ModelGraph.Subgraph, _ sizes: OutputSizes, areInputShapesOpen: Bool) {
        tensors = subgraph.tensors
        changesValues = Set(subgraph.inputs)
        if areInputShapesOpen { changesShape = changesValues }
        for operation in subgraph.operators {
            let hasOpenShape = operation.inputs.contains(where: changesShape.contains)
            let deciding: [Int]
            if sizes.fromShapes.contains(operation.name) {
                deciding = []
            } else if let places = sizes.fromConstants[operation.name] {
                deciding = places.filter(operation.inputs.indices.contains).map { operation.inputs[$0] }
            } else {
                // Also operators that call subgraphs, keep state or come with the app.
                changesShape.formUnion(operation.outputs)
                changesValues.formUnion(operation.outputs)
                continue
            }
            if hasOpenShape || deciding.contains(where: changesValues.contains) {
                changesShape.formUnion(operation.outputs)
            }
            let isShape = operation.name == "SHAPE" || operation.name == "RANK"
            let hasOpenValues = !isShape && operation.inputs.contains(where: changesValues.contains)
            if hasOpenShape || hasOpenValues || Self.random.contains(operation.name) {
                changesValues.formUnion(operation.outputs)
            }
        }
    }

    /// Whether the operator gets its shape in the run, and can work in the memory of its input.
    func isReshapedByData(_ operation: ModelGraph.Operator, of computed: Set<Int>) -> Bool {
        guard operation.inputs.count == 2, let input = operation.inputs.first, let shape = operation.inputs.last,
            tensors.indices.contains(input), tensors.indices.contains(shape)
        else { return false }
        // The engine gives strings other memory in any case.
        return computed.contains(input) && changesValues.contains(shape) && tensors[input].type != .string
            && [8, 16, 32, 64].contains(tensors[input].type.bitWidth)
    }

    /// Operators of the table whose values change from run to run, whatever their inputs are.
    private static let random: Set = [
        "HASHTABLE_FIND", "HASHTABLE_SIZE", "MULTINOMIAL", "RANDOM_STANDARD_NORMAL", "RANDOM_UNIFORM",
        "STABLEHLO_RNG_BIT_GENERATOR",
    ]
}
