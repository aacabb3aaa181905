import Foundation
import HearthModelFile

/// One subgraph of a compiled model, with the memory of its inputs and outputs. It knows the engine's requirements. The
/// interpreter and signature runners check the order of the callers' steps.
final class InferenceSession {
    private(set) var inputs: [TensorSlot]
    private(set) var outputs: [TensorSlot]
    /// Whether the engine and the buffers have the current shapes.
    private(set) var isAllocated = false

    private let compiled: CompiledModel
    private let signature: Int
    private let hasStringOutputs: Bool
    private let recurrentKernels: [RecurrentCustomKernel]
    private let fixedSizeOperator: String?
    private let ranks: RankCheck?
    private let subgraph: Int
    /// Hearth's operators in this subgraph.
    private let kernels: [CustomKernel]
    /// The engine's arguments for each run; nil before allocation, or if a tensor has no buffer.
    private var arguments: RunArguments?
    /// Knows the shapes for which the outputs' memory was made; nil where the engine fills none of Hearth's memory.
    private var shapeCheck: OutputShapeCheck?
    /// Whether a run since the last allocation has filled that memory.
    private var isConfirmed = false

    init(_ compiled: CompiledModel, _ interface: GraphInterface) throws(EngineError) {
        let signature = interface.signature
        inputs = []
        for (index, tensor) in interface.inputs.enumerated() {
            let shape = try compiled.inputShape(at: index, signature: signature)
            inputs.append(TensorSlot(tensor: tensor, shape: shape))
        }
        // The best guess before the first allocation, which determines the shapes.
        let shapes = try? compiled.outputShapes(
            count: interface.outputs.count, signature: signature, allocating: false)
        outputs = interface.outputs.enumerated().map { place, tensor in
            let sink = interface.sinks[place]
            return TensorSlot(tensor: tensor, shape: sink == nil ? shapes?[place] ?? [] : tensor.fileShape, sink: sink)
        }
        hasStringOutputs = outputs.contains { $0.tensor.dataType == .string }
        recurrentKernels = interface.recurrentKernels
        fixedSizeOperator = interface.fixedSizeOperator
        ranks = interface.ranks
        subgraph = interface.subgraph
        kernels = (interface.recurrentKernels as [CustomKernel]) + (Array(interface.sinks.values) as [CustomKernel])
        self.signature = signature
        self.compiled = compiled
    }

    /// Takes effect with the next ``allocate()``.
    func resizeInput(at index: Int, to shape: Tensor.Shape) throws(EngineError) {
        guard shape != inputs[index].shape else { return }
        if let fixedSizeOperator {
            throw EngineError(
                .resize,
                "The inputs cannot have other shapes than in the model: the engine would write the results of "
                    + "\(fixedSizeOperator) past the end of their memory. Convert the model for the shapes that you need."
            )
        }
        guard (1...TensorBuffer.maximumRank).contains(shape.rank), shape.dimensions.allSatisfy({ $0 > 0 }),
            let byteCount = shape.byteCount(of: inputs[index].tensor.sizeCheckType),
            byteCount <= TensorBuffer.maximumByteCount
        else {
            throw EngineError(
                .resize,
                "An input cannot have the shape \(shape.dimensions): one to eight sizes above 0, "
                    + "and less than 2 GiB in all, are possible.")
        }
        var shapes = inputs.map(\.shape.dimensions)
        shapes[index] = shape.dimensions
        // Lists of sizes are short, and other tensors matter only by their number of dimensions.
        let old = inputs[index].shape
        let mayMatter = shape.rank != old.rank || min(shape.elementCount ?? 0, old.elementCount ?? 0) <= 8
        if mayMatter, let tensor = ranks?.obstacle(shapes, ofSubgraph: subgraph) {
            throw EngineError(
                .resize,
                "An input cannot have the shape \(shape.dimensions): \(tensor) could then have more than six dimensions, "
                    + "which XNNPACK cannot hold. Load the model with the option kernelMode = .builtIn.")
        }
        try compiled.resizeInput(at: index, signature: signature, to: shape.dimensions.map(Int32.init))
        ranks?.keep(shapes, ofSubgraph: subgraph)
        inputs[index].shape = shape
        inputs[index].buffer = nil
        arguments = nil
        isAllocated = false
    }

    /// Writes encoded strings into an input. They must be valid, and as many as the shape has elements.
    func setStrings(_ data: Data, ofInput index: Int) throws(EngineError) {
        guard var buffer = inputs[index].buffer else { return }
        if buffer.capacity < data.count {
            buffer = try TensorBuffer(.string, shape: inputs[index].shape, capacity: data.count)
            inputs[index].buffer = buffer
            arguments = nil
        }
        data.copyBytes(to: buffer.bytes)
    }

    /// Allocates memory for the current shapes. Inputs with an unchanged shape keep their contents.
    func allocate() throws(EngineError) {
        guard !isAllocated else { return }
        let outputShapes = try collectingKernelFailure(.allocate) { () throws(EngineError) in
            try compiled.outputShapes(count: outputs.count, signature: signature, allocating: true)
        }
        var newInputs = inputs
        var newOutputs = outputs
        // A tensor that is listed twice, or as input and output, must use the same buffer everywhere.
        var buffers: [Int: TensorBuffer] = [:]
        for index in newInputs.indices {
            let shape = try compiled.inputShape(at: index, signature: signature)
            if shape != newInputs[index].shape { newInputs[index].buffer = nil }
            newInputs[index].shape = shape
            try newInputs[index].attachBuffer(sharing: &buffers)
        }
        for (index, shape) in outputShapes.enumerated() {
            newOutputs[index].buffer = nil
            newOutputs[index].sink?.reset()
            if newOutputs[index].sink == nil { newOutputs[index].shape = shape }
            try newOutputs[index].attachBuffer(sharing: &buffers)
        }
        inputs = newInputs
        outputs = newOutputs
        arguments = nil
        shapeCheck = OutputShapeCheck(newOutputs, signature: signature)
        isConfirmed = false
        isAllocated = true
    }

    /// Runs the subgraph on the contents of the input buffers. Call it only after allocation.
    func run() throws(EngineError) {
        for output in outputs { output.sink?.reset() }
        if hasStringOutputs { try runGrowingStringOutputs() } else { try runOnce() }
        for index in outputs.indices {
            guard let sink = outputs[index].sink else { continue }
            guard let shape = sink.shape else {
                throw EngineError(
                    .run, "The engine did not compute output \(index) '\(outputs[index].tensor.name)'.")
            }
            outputs[index].shape = shape
        }
    }

    private func runOnce() throws(EngineError) {
        let arguments = try readyArguments()
        try collectingKernelFailure(.run) { () throws(EngineError) in
            try compiled.run(arguments, signature: signature, shapeCheck)
            guard let shapeCheck, !isConfirmed else { return }
            try compiled.confirm(shapeCheck)
            isConfirmed = true
        }
    }

    /// Calls the engine and then throws the failure of one of Hearth's operators, which the engine does not report.
    private func collectingKernelFailure<Result>(
        _ step: EngineError.Step, _ call: () throws(EngineError) -> Result
    ) throws(EngineError) -> Result {
        guard !kernels.isEmpty else { return try call() }
        for kernel in kernels { kernel.clearFailure() }
        let result: Result
        do {
            result = try call()
        } catch {
            throw kernelFailure(step) ?? error
        }
        if let failure = kernelFailure(step) { throw failure }
        return result
    }

    private func kernelFailure(_ step: EngineError.Step) -> EngineError? {
        kernels.lazy.compactMap(\.failureReason).first.map { EngineError(step, $0) }
    }

    /// The engine fails, without a reason, when a string output does not fit into its buffer. By then it has computed
    /// everything, including the state. So the state is restored before it computes again.
    private func runGrowingStringOutputs() throws(EngineError) {
        for kernel in recurrentKernels { kernel.saveState() }
        while true {
            do {
                try runOnce()
                break
            } catch {
                guard error.step == .run, !error.hasReason, try growStringOutputs() else { throw error }
                for kernel in recurrentKernels { kernel.restoreState() }
            }
        }
        let shapes = try compiled.outputShapes(count: outputs.count, signature: signature, allocating: false)
        for index in outputs.indices where outputs[index].tensor.dataType == .string {
            outputs[index].shape = shapes[index]
        }
    }

    /// - Returns: Whether a buffer could grow.
    private func growStringOutputs() throws(EngineError) -> Bool {
        var hasGrown = false
        for index in outputs.indices where outputs[index].tensor.dataType == .string {
            guard let buffer = outputs[index].buffer, let capacity = StringCapacity.next(after: buffer.capacity) else {
                continue
            }
            try outputs[index].attachStringBuffer(capacity: capacity)
            hasGrown = true
        }
        if hasGrown { arguments = nil }
        return hasGrown
    }

    private func readyArguments() throws(EngineError) -> RunArguments {
        if let arguments { return arguments }
        let made = RunArguments(
            inputs: try buffers(of: inputs, kind: "Input"), outputs: try buffers(of: outputs, kind: "Output"))
        arguments = made
        return made
    }

    private func buffers(of slots: [TensorSlot], kind: String) throws(EngineError) -> [TensorBuffer] {
        var buffers: [TensorBuffer] = []
        buffers.reserveCapacity(slots.count)
        for (index, slot) in slots.enumerated() {
            guard let buffer = slot.buffer else {
                throw EngineError(
                    .unsupported,
                    "\(kind) \(index) '\(slot.tensor.name)' holds elements of type "
                        + "\(slot.tensor.typeName), which this library does not support.")
            }
            buffers.append(buffer)
        }
        return buffers
    }
}

/// Why a tensor's memory cannot be lent. The interpreter and signature runners each turn it into an error case of their
/// own.
enum TensorAccessFailure: Error {
    case notAllocated
    /// An output whose size only a run determines.
    case notRun
    /// The elements' type has no fixed size, or the size is unknown.
    case noFixedSize
}

extension InferenceSession {
    /// Copies exactly the bytes of an input; for strings, in the form of ``StringTensorCoding``.
    /// - Parameters:
    ///   - mismatch: Makes the error for a wrong count from the provided and the required count.
    ///   - failure: Makes the error for anything else.
    func copy(
        _ data: Data, toInput index: Int, mismatch: (_ provided: Int, _ required: Int) -> any Error,
        failure: (TensorAccessFailure) -> any Error
    ) throws {
        let slot = inputs[index]
        guard let dataType = slot.tensor.dataType else { throw failure(.noFixedSize) }
        guard dataType == .string else {
            let required = slot.byteCount ?? 0
            guard data.count == required else { throw mismatch(data.count, required) }
            return try withBytes(of: slot, failure: failure) { _ = data.copyBytes(to: $0) }
        }
        let count = try StringTensorCoding.decode(data).count
        let required = slot.shape.elementCount ?? 0
        guard count == required else { throw mismatch(count, required) }
        guard isAllocated else { throw failure(.notAllocated) }
        do throws(EngineError) {
            try setStrings(data, ofInput: index)
        } catch {
            throw InterpreterError.tensorFlowLiteError(error.message)
        }
    }

    /// Lends an input's memory for writing, except that of strings: wrong contents would make the engine read other
    /// memory.
    func withMutableBytes<Result>(
        of slot: TensorSlot, failure: (TensorAccessFailure) -> any Error,
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        guard slot.tensor.dataType != .string else { throw failure(.noFixedSize) }
        return try withBytes(of: slot, failure: failure, body)
    }

    /// Lends a tensor's memory, exactly its bytes.
    func withBytes<Result>(
        of slot: TensorSlot, failure: (TensorAccessFailure) -> any Error,
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        guard isAllocated else { throw failure(.notAllocated) }
        guard let contents = slot.contents else { throw failure(slot.sink == nil ? .noFixedSize : .notRun) }
        // Kept alive even if `body` makes the session allocate or run again.
        return try withExtendedLifetime((slot.buffer, slot.sink?.memory)) { try body(contents) }
    }

    /// A copy of a tensor's current contents.
    func tensor(of slot: TensorSlot, failure: (TensorAccessFailure) -> any Error) throws -> Tensor {
        let data = try withBytes(of: slot, failure: failure) { Data($0) }
        guard let description = slot.description else { throw failure(.noFixedSize) }
        return Tensor(
            name: description.name, dataType: description.dataType, shape: description.shape, data: data,
            quantizationParameters: description.quantizationParameters,
            perChannelQuantization: description.perChannelQuantization)
    }
}

extension TensorSlot {
    /// nil for tensors whose type has no ``Tensor/DataType``.
    var description: Tensor.Description? {
        guard let dataType = tensor.dataType else { return nil }
        return Tensor.Description(
            name: tensor.name, dataType: dataType, shape: shape, quantizationParameters: tensor.quantization,
            perChannelQuantization: tensor.perChannelQuantization)
    }
}
