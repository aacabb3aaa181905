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
