import HearthModelFile

/// Finds outputs sized by data and leads each of them to an ``OutputSink``.
enum OutputLowering {
    /// - Returns: The sinks, by place in the list of outputs, by subgraph.
    static func apply(
        to rewrite: inout ModelRewrite, of graph: ModelGraph
    ) throws(ModelFileError) -> [Int: [Int: OutputSink]] {
        var sinks: [Int: [Int: OutputSink]] = [:]
        let called = graph.calledSubgraphs
        for number in Set([0] + graph.signatures.map(\.subgraph)).sorted() {
            let subgraph = graph.subgraphs[number]
            let sizing = DataDependentShapes(subgraph)
            for (place, output) in subgraph.outputs.enumerated() {
                let tensor = subgraph.tensors[output]
                // Strings the engine hands out by itself.
                guard let name = sizing.operatorName(forTensor: output), tensor.type != .string else { continue }
                // What a loop hands around must keep its shape; and eight dimensions are the most.
                guard let dataType = Tensor.DataType(tensor.type), dataType.bitWidth.map({ $0 >= 8 }) == true,
                    !called.contains(number), tensor.shape.count < TensorBuffer.maximumRank
                else {
                    throw ModelFileError(
                        .unsupported,
                        "this engine cannot run the model: the size of \(graph.text(tensor: output, in: number)) "
                            + "depends on the data (operator \(name)); give it a fixed size in the model")
                }
                let code = "HearthOutput\(number)_\(place)"
                rewrite.divertOutput(place, ofSubgraph: number, toCustom: code)
                sinks[number, default: [:]][place] = OutputSink(name: code, dataType)
            }
        }
        return sinks
    }
}

extension ModelGraph {
    /// Subgraphs that operators run, such as loops and branches do.
    var calledSubgraphs: Set<Int> {
        Set(subgraphs.flatMap(\.operators).flatMap(\.calledSubgraphs))
    }
}

/// Which tensors of a subgraph may get a size that is known only once data flows.
///
/// The engine lays out memory from the shapes it knows before a run. Behind such an operator those shapes are guesses,
/// so outputs named here are lowered (``OutputLowering``). Naming one too many costs a copy of it, or refuses a model where
/// lowering is not possible; naming one too few gives wrong numbers.
struct DataDependentShapes {
    /// The number of custom operators in the file format.
    static let customCode = 32

    private var names: [Int: String] = [:]

    init(_ subgraph: ModelGraph.Subgraph) {
        for operation in subgraph.operators {
            let inherited = operation.inputs.lazy.compactMap { [names] in names[$0] }.first
            guard let name = Self.hasDataDependentShape(operation, in: subgraph) ? operation.name : inherited else {
                continue
            }
            for output in operation.outputs { names[output] = name }
        }
    }

    /// The operator nearest before the tensor that sizes it by data.
    func operatorName(forTensor index: Int) -> String? {
        names[index]
    }

    private static func hasDataDependentShape(_ operation: ModelGraph.Operator, in subgraph: ModelGraph.Subgraph)
        -> Bool
    {
        if operation.builtinCode == customCode { return !fixedSizeCustomOperators.contains(operation.name) }
        if dataDependentBuiltins.contains(operation.name) || operation.name.hasPrefix("STABLEHLO_") { return true }
        if !operation.calledSubgraphs.isEmpty { return true }
        if dataIndependentBuiltins.contains(operation.name) { return false }
        // Shapes, axes and counts are always integers of these types. As constants they are known beforehand.
        return operation.inputs.contains { index in
            guard subgraph.tensors.indices.contains(index) else { return false }
            let tensor = subgraph.tensors[index]
            return tensor.data == nil && shapeOperandTypes.contains(tensor.type)
        }
    }

    private static let shapeOperandTypes: Set<ElementType> = [
        .int32, .int64, .uint32, .uint64, .string, .resource, .variant,
    ]

    /// Those that size their outputs by data of other types, or by what they keep.
    private static let dataDependentBuiltins: Set<String> = [
        "WHERE", "UNIQUE", "NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5", "RANGE", "IF", "WHILE", "CALL",
        "CALL_ONCE", "HASHTABLE", "HASHTABLE_FIND", "HASHTABLE_LOOKUP", "HASHTABLE_SIZE", "VAR_HANDLE",
        "READ_VARIABLE", "EMBEDDING_LOOKUP_SPARSE", "SKIP_GRAM",
    ]

    /// Those that take integers as values or places, never as sizes: what models that begin with token numbers use.
    private static let dataIndependentBuiltins: Set<String> = [
        "ABS", "ADD", "CAST", "CONCATENATION", "DIV", "EMBEDDING_LOOKUP", "EQUAL", "FLOOR_DIV", "FLOOR_MOD", "GATHER",
        "GATHER_ND", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL", "MAXIMUM", "MINIMUM", "MUL", "NEG", "NOT_EQUAL",
        "PACK", "POW", "SELECT", "SELECT_V2", "SHAPE", "SQUARED_DIFFERENCE", "SUB", "UNPACK",
    ]

    /// Custom operators of the engine whose outputs have a fixed size.
    static let fixedSizeCustomOperators: Set<String> = ["TFLite_Detection_PostProcess"]
}

/// Takes an output whose size the engine knows only once data flows, and keeps it for the session.
///
/// The engine cannot hand out such a tensor itself, and where XNNPACK computes it, writes past the end of memory that is
/// too small for it. So `ModelRewrite.divertOutput` leads it here instead, in bytes.
final class OutputSink: CustomKernel {
    /// Of the tensor that the engine gets to see in the output's place.
    static let markerShape: Tensor.Shape = [1]

    /// The shape and elements of the last run; nil before the first.
    private(set) var shape: Tensor.Shape?
    private(set) var byteCount = 0
    private(set) var memory: TensorMemory?
    private let dataType: Tensor.DataType

    init(name: String, _ dataType: Tensor.DataType) {
        self.dataType = dataType
        super.init(name: name)
    }

    /// To be called before each run: what an earlier one left must not pass for this one's result.
    func reset() {
        shape = nil
    }

    override func outputShape(for inputs: KernelInputs) throws(KernelFailure) -> Tensor.Shape {
        Self.markerShape
    }

    override func run(_ inputs: KernelInputs, output: UnsafeMutableRawBufferPointer) throws(KernelFailure) {
        let elements = try inputs.memory(0)
        let sizes = try inputs.memory(1)
        var dimensions = (0..<sizes.count / MemoryLayout<Int32>.size).map {
            Int(sizes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Int32>.size, as: Int32.self))
        }
        guard !dimensions.isEmpty else { throw KernelFailure(message: "an output has no shape") }
        dimensions.remove(at: dataType.bitWidth == 8 ? 0 : dimensions.count - 1)
        let shape = Tensor.Shape(dimensions)
        guard let byteCount = shape.byteCount(of: dataType), byteCount <= elements.count else {
            throw KernelFailure(message: "an output of shape \(shape.dimensions) has only \(elements.count) bytes")
        }
        try copy(UnsafeRawBufferPointer(rebasing: elements[..<byteCount]))
        self.shape = shape
    }

    private func copy(_ elements: UnsafeRawBufferPointer) throws(KernelFailure) {
        if (memory?.capacity ?? -1) < elements.count {
            // Sizes that grow from run to run must not ask for new memory each time.
            memory = TensorMemory(capacity: max(elements.count, 2 * (memory?.capacity ?? 0)))
        }
        guard let memory else {
            throw KernelFailure(message: "there is not enough memory for an output of \(elements.count) bytes")
        }
        UnsafeMutableRawBufferPointer(start: memory.start, count: elements.count).copyMemory(from: elements)
        byteCount = elements.count
    }
}
