import HearthModelFile

/// Finds outputs whose size the engine does not know before a run, and connects each of them to an ``OutputSink``.
enum OutputLowering {
    /// - Returns: The sinks by subgraph, then by index in the list of outputs.
    static func apply(
        to rewrite: inout ModelRewrite, of graph: ModelGraph, _ sizes: OutputSizes
    ) throws(ModelFileError) -> [Int: [Int: OutputSink]] {
        var sinks: [Int: [Int: OutputSink]] = [:]
        let called = graph.calledSubgraphs
        for number in Set([0] + graph.signatures.map(\.subgraph)).sorted() {
            let subgraph = graph.subgraphs[number]
            let shapes = DataDependentShapes(subgraph, sizes)
            guard shapes.areAny else { continue }
            let computed = Set(subgraph.operators.flatMap(\.outputs))
            for (place, output) in subgraph.outputs.enumerated() where computed.contains(output) {
                let tensor = subgraph.tensors[output]
                // The engine returns strings without a sink.
                guard tensor.type != .string else { continue }
                // Tensors that a loop passes on must keep their shape, and eight dimensions are the most.
                guard let dataType = Tensor.DataType(tensor.type), dataType.bitWidth.map({ $0 >= 8 }) == true,
                    !called.contains(number), tensor.shape.count < TensorBuffer.maximumRank
                else {
                    // Its size is only not sure, and an `OutputShapeCheck` watches over it.
                    guard let name = shapes.operatorName(forTensor: output) else { continue }
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

    /// The numbers of all subgraphs that a run of this one may run, each once; this one is the first.
    func subgraphs(runBy number: Int) -> [Int] {
        var found = [number]
        var known = Set(found)
        var next = 0
        while next < found.count {
            let called = subgraphs[found[next]].operators.flatMap(\.calledSubgraphs)
            found += called.filter { subgraphs.indices.contains($0) && known.insert($0).inserted }
            next += 1
        }
        return found
    }
}

/// Receives an output whose size the engine knows only during a run, and keeps it for the session.
///
/// The engine cannot return such a tensor itself. Where XNNPACK computes it, the engine writes past the end of memory
/// that is too small (``OutputShapeCheck``). So `ModelRewrite.divertOutput` connects it to this operator instead, as bytes.
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
