import Foundation
import HearthErrors
package import HearthModelFile

/// One operator of a model that keeps state from run to run, with its weights and its state. The weights are read in
/// place from the model's bytes, which this object keeps alive.
///
/// It computes the same as LiteRT's own kernel for the operator, for engines that accept custom operators but refuse
/// operators with state. Only one thread at a time may use it. Two operators share only the model's bytes.
package final class RecurrentOperator {
    /// The index of the activation tensor in the subgraph: the only input that is not a constant or a state.
    package let activationInput: Int

    private var kernel: any RecurrentKernel
    private let state: [any RestorableState]
    private var steps = 0
    private var inputBytes = 0
    private var outputBytes = 0

    /// Reads and checks the operator's weights.
    /// - Throws: `unsupported` for variants that are not implemented, with the operator's name and number; `malformed`
    ///   when shapes, types and bytes do not match; `tooLarge` for a state that is larger than any model needs.
    package convenience init(_ model: ModelFile, subgraph: Int, operator number: Int) throws(ModelFileError) {
        try self.init(OperatorReader(model.bytes, model.graph, subgraph: subgraph, operator: number))
    }

    init(_ reader: OperatorReader) throws(ModelFileError) {
        let input = try reader.required(0, "input")
        try reader.requireOneOutput(like: input)
        activationInput = reader.node.inputs[0]
        kernel = try KernelFactory.kernel(for: reader, input: input)
        state = kernel.state
    }

    /// Prepares the operator for inputs of one shape and clears its state. Call it at each allocation.
    /// - Parameter inputShape: [batch, depth] for LSTM, RNN and SVDF. For the sequence forms [batch, time, depth], or
    ///   [time, batch, depth] if the model is time-major.
    /// - Returns: The output's shape.
    /// - Throws: When the batch differs from the state's, or the depth from the weights'.
    package func prepare(inputShape: [Int]) throws(RecurrentOperatorError) -> [Int] {
        steps = 0
        let layout = kernel.layout
        let newSteps = try layout.steps(of: inputShape)
        let outputShape = layout.outputShape(steps: newSteps)
        inputBytes = try byteCount(inputShape)
        outputBytes = try byteCount(outputShape)
        kernel.prepare(steps: newSteps)
        resetState()
        steps = newSteps
        return outputShape
    }

    /// Runs once and updates the state. Allocates nothing.
    /// - Parameters:
    ///   - input: Exactly the bytes of the prepared shape, float32 or int8 as the model declares.
    ///   - output: Exactly the bytes of the output's shape; must not overlap `input`.
    /// - Throws: When a buffer has another size or is not aligned to its elements, or when the operator is not
    ///   prepared. The state is then unchanged.
    package func run(
        input: UnsafeRawBufferPointer, output: UnsafeMutableRawBufferPointer
    ) throws(RecurrentOperatorError) {
        guard steps > 0 else {
            throw RecurrentOperatorError(.notPrepared, "the operator has no shape yet; prepare it before a run")
        }
        let source = try start(input, inputBytes, "input")
        let target = UnsafeMutableRawPointer(
            mutating: try start(UnsafeRawBufferPointer(output), outputBytes, "output"))
        kernel.run(steps: steps, input: source, output: target)
    }

    /// Resets the state to its value before the first run.
    package func resetState() {
        for array in state { array.reset() }
    }

    /// Keeps a copy of the state, and replaces an earlier copy.
    package func saveState() {
        for array in state { array.save() }
    }

    /// Restores the state of the last ``saveState()``, or else the initial state, so that a run can be repeated.
    package func restoreState() {
        for array in state { array.restore() }
    }

    private func byteCount(_ shape: [Int]) throws(RecurrentOperatorError) -> Int {
        var bytes = kernel.bytesPerElement
        for dimension in shape {
            let (product, overflows) = bytes.multipliedReportingOverflow(by: dimension)
            guard !overflows else {
                throw RecurrentOperatorError(.tooLarge, "no memory can hold the shape \(shape)")
            }
            bytes = product
        }
        return bytes
    }

    private func start(
        _ buffer: UnsafeRawBufferPointer, _ expected: Int, _ name: String
    ) throws(RecurrentOperatorError) -> UnsafeRawPointer {
        guard buffer.count == expected, let address = buffer.baseAddress else {
            throw RecurrentOperatorError(
                .bufferMismatch, "the \(name) buffer has \(buffer.count) bytes; its shape needs \(expected)")
        }
        guard Int(bitPattern: address).isMultiple(of: kernel.bytesPerElement) else {
            throw RecurrentOperatorError(
                .bufferMismatch, "the \(name) buffer is not aligned to \(kernel.bytesPerElement) bytes")
        }
        return address
    }
}

/// Why an operator with state could not be prepared or run. The text is one plain line.
package struct RecurrentOperatorError: DescribedError, Equatable {
    /// The kind of refusal. New kinds may be added: use a `default` in a switch.
    package enum Code {
        /// The input's shape does not match the weights or the state.
        case shapeMismatch
        /// The size of a buffer does not match its shape, or its address is not aligned for its elements.
        case bufferMismatch
        /// `run` was called before `prepare` succeeded.
        case notPrepared
        /// The shape needs more memory than is possible.
        case tooLarge
    }

    package let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
