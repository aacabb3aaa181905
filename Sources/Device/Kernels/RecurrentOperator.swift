import Foundation
package import HearthModelFile

/// One operator of a model that keeps state from run to run, with its weights (read where they lie in the model's
/// bytes, which this object keeps alive) and its state.
///
/// It computes what LiteRT's own kernel for the operator computes, for engines that take custom operators but refuse
/// operators with state. One thread at a time; two operators share nothing but the model's bytes.
package final class RecurrentOperator {
    /// Index of the activation tensor in the subgraph: the only input that is not constant or state.
    package let activationInput: Int

    private var kernel: any RecurrentKernel
    private let state: [any RestorableState]
    private var steps = 0
    private var inputBytes = 0
    private var outputBytes = 0

    /// Reads and checks the operator's weights.
    /// - Throws: `unsupported` for variants that are not done, named with the operator's place; `malformed` where
    ///   shapes, types and bytes do not fit together; `tooLarge` for a state beyond any model's needs.
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

    /// Makes the operator ready for inputs of one shape and clears its state. Call it at each allocation.
    /// - Parameter inputShape: [batch, depth] for LSTM, RNN and SVDF; [batch, time, depth], or [time, batch, depth]
    ///   where the model says time-major, for the sequence forms.
    /// - Returns: the output's shape.
    /// - Throws: when the batch is not the state's, or the depth not the weights'.
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

    /// One run; moves the state on. Allocates nothing.
    /// - Parameters:
    ///   - input: exactly the bytes of the prepared shape, float32 or int8 as the model says.
    ///   - output: exactly the bytes of the output's shape; must not overlap `input`.
    /// - Throws: when a buffer has another size or is not aligned to its elements, or nothing was prepared. The state
    ///   is untouched then.
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

    /// Sets the state back to where it was before the first run.
    package func resetState() {
        for array in state { array.reset() }
    }

    /// Keeps a copy of the state, in place of an earlier one.
    package func saveState() {
        for array in state { array.save() }
    }

    /// Goes back to the state of the last ``saveState()``, or to the first one, so that a run can be repeated.
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
package struct RecurrentOperatorError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The kind of refusal. Open for new kinds: switch with a default.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The input's shape does not fit the weights or the state.
        package static let shapeMismatch = Code(rawValue: "shapeMismatch")
        /// A buffer is not as long as its shape says, or starts at an address that its elements cannot have.
        package static let bufferMismatch = Code(rawValue: "bufferMismatch")
        /// `run` was called before `prepare` succeeded.
        package static let notPrepared = Code(rawValue: "notPrepared")
        /// The shape needs more memory than there is.
        package static let tooLarge = Code(rawValue: "tooLarge")
    }

    package let code: Code
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
    package var errorDescription: String? { message }
}
