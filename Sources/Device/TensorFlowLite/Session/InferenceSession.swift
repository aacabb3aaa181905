import HearthModelFile

/// One subgraph of a compiled model with the memory of its inputs and outputs. Knows the engine's habits; the order in
/// which callers may do things is the business of the interpreter and of signature runners.
final class InferenceSession {
    private(set) var inputs: [TensorSlot]
    private(set) var outputs: [TensorSlot]
    /// Whether engine and buffers agree on the present shapes.
    private(set) var isAllocated = false

    private let compiled: CompiledModel
    private let signature: Int
    private let sizing: OutputSizing
    private let hasSizedOutputs: Bool
    /// What the engine is handed in each run; nil unless allocated, or where a tensor cannot be passed on.
    private var arguments: RunArguments?
    private var isFirstRun = true

    init(_ compiled: CompiledModel, _ interface: GraphInterface) throws(RuntimeFailure) {
        let signature = interface.signature
        inputs = []
        for (index, tensor) in interface.inputs.enumerated() {
            let shape = try compiled.inputShape(at: index, signature: signature)
            inputs.append(TensorSlot(tensor: tensor, shape: shape))
        }
        // Best known before the first allocation, which alone can tell.
        let shapes = try? compiled.outputShapes(
            count: interface.outputs.count, signature: signature, allocating: false)
        outputs = interface.outputs.enumerated().map { index, tensor in
            TensorSlot(tensor: tensor, shape: shapes?[index] ?? [])
        }
        sizing = OutputSizing(originalInputs: inputs)
        hasSizedOutputs = sizing.concerns(outputs)
        self.signature = signature
        self.compiled = compiled
    }

    /// Takes effect with the next ``allocate()``.
    func resizeInput(at index: Int, to shape: Tensor.Shape) throws(RuntimeFailure) {
        guard shape != inputs[index].shape else { return }
        guard (1...TensorBuffer.maximumRank).contains(shape.rank), shape.dimensions.allSatisfy({ $0 > 0 }),
            let byteCount = shape.byteCount(of: inputs[index].tensor.dataType ?? .uInt8),
            byteCount <= TensorBuffer.maximumByteCount
        else {
            throw RuntimeFailure(
                .resize,
                "An input cannot have the shape \(shape.dimensions): one to eight sizes above 0, "
                    + "and less than 2 GiB in all, are possible.")
        }
        try compiled.resizeInput(at: index, signature: signature, to: shape.dimensions.map(Int32.init))
        inputs[index].shape = shape
        inputs[index].buffer = nil
        arguments = nil
        isAllocated = false
    }

    /// Lays out memory for the present shapes. Inputs whose shape stayed keep their contents.
    func allocate() throws(RuntimeFailure) {
        guard !isAllocated else { return }
        let outputShapes = try compiled.outputShapes(count: outputs.count, signature: signature, allocating: true)
        var newInputs = inputs
        var newOutputs = outputs
        // A tensor that is listed twice, or as input and output, must be the same buffer in each place.
        var buffers: [Int: TensorBuffer] = [:]
        for index in newInputs.indices {
            let shape = try compiled.inputShape(at: index, signature: signature)
            if shape != newInputs[index].shape { newInputs[index].buffer = nil }
            newInputs[index].shape = shape
            try newInputs[index].attachBuffer(sharing: &buffers)
        }
        for (index, shape) in outputShapes.enumerated() {
            newOutputs[index].shape = shape
            newOutputs[index].buffer = nil
            let capacity = sizing.capacity(for: newOutputs[index], inputs: newInputs)
            try newOutputs[index].attachBuffer(sharing: &buffers, capacity: capacity)
        }
        inputs = newInputs
        outputs = newOutputs
        arguments = nil
        isAllocated = true
        isFirstRun = true
    }

    /// Runs the subgraph on what the input buffers hold. Call only when allocated.
    func run() throws(RuntimeFailure) {
        if hasSizedOutputs { return try runSizing() }
        try compiled.run(try readyArguments(), signature: signature)
    }

    private func runSizing() throws(RuntimeFailure) {
        if isFirstRun { sizing.mark(outputs) }
        try runOnce()
        try adoptOutputShapes()
        isFirstRun = false
    }

    private func runOnce() throws(RuntimeFailure) {
        let arguments = try readyArguments()
        do {
            try compiled.run(arguments, signature: signature)
        } catch {
            throw sizing.explanation(of: error, outputs: outputs)
        }
    }

    /// Reads the shapes that the run gave to the outputs, and makes sure that it wrote them.
    private func adoptOutputShapes() throws(RuntimeFailure) {
        let shapes = try compiled.outputShapes(count: outputs.count, signature: signature, allocating: false)
        for (index, shape) in shapes.enumerated() {
            outputs[index].shape = shape
            guard let buffer = outputs[index].buffer, let byteCount = outputs[index].byteCount else { continue }
            guard byteCount <= buffer.capacity else {
                throw RuntimeFailure(.run, "Output \(index) of shape \(shape.dimensions) is too large.")
            }
        }
        // The engine reports success for the first run even where it cannot write an output; the second run tells.
        if isFirstRun, sizing.isMarked(outputs) { try runOnce() }
    }

    private func readyArguments() throws(RuntimeFailure) -> RunArguments {
        if let arguments { return arguments }
        let made = RunArguments(
            inputs: try buffers(of: inputs, kind: "Input"), outputs: try buffers(of: outputs, kind: "Output"))
        arguments = made
        return made
    }

    private func buffers(of slots: [TensorSlot], kind: String) throws(RuntimeFailure) -> [TensorBuffer] {
        var buffers: [TensorBuffer] = []
        buffers.reserveCapacity(slots.count)
        for (index, slot) in slots.enumerated() {
            guard let buffer = slot.buffer else {
                throw RuntimeFailure(
                    .unsupported,
                    "\(kind) \(index) '\(slot.tensor.name)' holds elements of type "
                        + "\(slot.tensor.typeName), which this interpreter cannot pass on.")
            }
            buffers.append(buffer)
        }
        return buffers
    }
}
