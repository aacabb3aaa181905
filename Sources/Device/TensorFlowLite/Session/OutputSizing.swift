/// How a session lives with outputs whose size may depend on data.
///
/// Behind operators that size tensors by data the engine only guesses shapes before the first run. Asked to run, it
/// does one of three things: it writes what the data asks for, past the end of a buffer made for the guess; or it fails;
/// or it reports success once without writing anything. So such outputs get ample room, their shape is read after each
/// run, and a mark shows whether the first run wrote them.
struct OutputSizing {
    /// Address space, not memory: pages that nothing touches cost nothing.
    private static let ampleCapacity = 128 << 20
    private static let mark: UInt8 = 0xA5
    private static let markedCount = 64

    private let originalInputByteCount: Int

    init(originalInputs: [TensorSlot]) {
        originalInputByteCount = Self.byteCount(of: originalInputs)
    }

    func concerns(_ outputs: [TensorSlot]) -> Bool {
        outputs.contains { $0.tensor.sizingOperator != nil }
    }

    /// nil where the shape is all there is to know.
    ///
    /// A guess often keeps the batch size that the file was made with, so room grows with the inputs.
    func capacity(for output: TensorSlot, inputs: [TensorSlot]) -> Int? {
        guard output.tensor.sizingOperator != nil, let byteCount = output.byteCount else { return nil }
        let growth = Self.byteCount(of: inputs) / max(originalInputByteCount, 1) + 1
        let (scaled, overflow) = byteCount.multipliedReportingOverflow(by: growth)
        return max(Self.ampleCapacity, overflow ? .max : scaled)
    }

    func mark(_ outputs: [TensorSlot]) {
        for buffer in Self.sizedBuffers(of: outputs) {
            buffer.memory.start.initializeMemory(as: UInt8.self, repeating: Self.mark, count: Self.markedCount)
        }
    }

    /// Whether an output still begins with the mark, as far as it has bytes.
    func isMarked(_ outputs: [TensorSlot]) -> Bool {
        outputs.contains { output in
            guard output.tensor.sizingOperator != nil, let buffer = output.buffer else { return false }
            let count = min(output.byteCount ?? 0, Self.markedCount)
            return UnsafeRawBufferPointer(start: buffer.memory.start, count: count).allSatisfy { $0 == Self.mark }
        }
    }

    /// Replaces the engine's own words about an output that it cannot bind, which only its authors understand.
    func explanation(of failure: RuntimeFailure, outputs: [TensorSlot]) -> RuntimeFailure {
        let signs = ["allocation_type", "Custom allocation is too small"]
        guard signs.contains(where: failure.message.contains),
            let index = outputs.firstIndex(where: { $0.tensor.sizingOperator != nil }),
            let name = outputs[index].tensor.sizingOperator
        else { return failure }
        return RuntimeFailure(
            .unsupported,
            "The size of output \(index) '\(outputs[index].tensor.name)' depends on the data (operator "
                + "\(name)), which this interpreter does not support; give it a fixed size in the model.")
    }

    private static func sizedBuffers(of outputs: [TensorSlot]) -> [TensorBuffer] {
        outputs.filter { $0.tensor.sizingOperator != nil }.compactMap(\.buffer)
    }

    private static func byteCount(of slots: [TensorSlot]) -> Int {
        slots.reduce(0) { $0 + ($1.byteCount ?? 0) }
    }
}
