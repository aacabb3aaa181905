import HearthModelFile

/// Finds outputs whose size depends on data, and connects each of them to an ``OutputSink``.
enum OutputLowering {
    /// - Returns: The sinks by subgraph, then by index in the list of outputs.
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
                // The engine returns strings without a sink.
                guard let name = sizing.operatorName(forTensor: output), tensor.type != .string else { continue }
                // Tensors that a loop passes on must keep their shape, and eight dimensions are the most.
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
    /// Subgraphs that operators run, such as the bodies of loops and branches.
    var calledSubgraphs: Set<Int> {
        Set(subgraphs.flatMap(\.operators).flatMap(\.calledSubgraphs))
    }
}

/// The tensors of a subgraph whose size may be known only during a run.
///
/// The engine allocates memory from the shapes that it knows before a run. After an operator of this kind, those shapes
/// are guesses, so the outputs found here are lowered (``OutputLowering``). One output too many costs a copy, or
/// refuses a model where lowering is not possible. One too few gives wrong numbers.
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

    /// The nearest operator before the tensor whose output size depends on data.
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
        // Shapes, axes and counts are always integers of these types. As constants they are known before the run.
        return operation.inputs.contains { index in
            guard subgraph.tensors.indices.contains(index) else { return false }
            let tensor = subgraph.tensors[index]
            return tensor.data == nil && shapeOperandTypes.contains(tensor.type)
        }
    }

    private static let shapeOperandTypes: Set<ElementType> = [
        .int32, .int64, .uint32, .uint64, .string, .resource, .variant,
    ]

    /// Operators whose output size depends on data of other types, or on what they store.
    private static let dataDependentBuiltins: Set<String> = [
        "WHERE", "UNIQUE", "NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5", "RANGE", "IF", "WHILE", "CALL",
        "CALL_ONCE", "HASHTABLE", "HASHTABLE_FIND", "HASHTABLE_LOOKUP", "HASHTABLE_SIZE", "VAR_HANDLE",
        "READ_VARIABLE", "EMBEDDING_LOOKUP_SPARSE", "SKIP_GRAM",
    ]

    /// Operators that use integers as values or indices, never as sizes. Models whose inputs are token numbers use
    /// these.
    private static let dataIndependentBuiltins: Set<String> = [
        "ABS", "ADD", "CAST", "CONCATENATION", "DIV", "EMBEDDING_LOOKUP", "EQUAL", "FLOOR_DIV", "FLOOR_MOD", "GATHER",
        "GATHER_ND", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL", "MAXIMUM", "MINIMUM", "MUL", "NEG", "NOT_EQUAL",
        "PACK", "POW", "SELECT", "SELECT_V2", "SHAPE", "SQUARED_DIFFERENCE", "SUB", "UNPACK",
    ]

    /// Custom operators of the engine whose outputs have a fixed size.
    static let fixedSizeCustomOperators: Set<String> = ["TFLite_Detection_PostProcess"]
}

/// Receives an output whose size the engine knows only during a run, and keeps it for the session.
///
/// The engine cannot return such a tensor itself. Where XNNPACK computes it, the engine writes past the end of memory
/// that is too small. So `ModelRewrite.divertOutput` connects it to this operator instead, as bytes.
final class OutputSink: CustomKernel {
    /// The shape of the tensor that the engine sees instead of the output.
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

    /// Must be called before each run, so that the result of an earlier run is not taken for this one's.
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
            // Doubled, so that sizes that grow from run to run do not need new memory each time.
            memory = TensorMemory(capacity: max(elements.count, 2 * (memory?.capacity ?? 0)))
        }
        guard let memory else {
            throw KernelFailure(message: "there is not enough memory for an output of \(elements.count) bytes")
        }
        UnsafeMutableRawBufferPointer(start: memory.start, count: elements.count).copyMemory(from: elements)
        byteCount = elements.count
    }
}
