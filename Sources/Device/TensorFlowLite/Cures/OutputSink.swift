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
    func forget() {
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
