public import Foundation

extension Interpreter {
    /// Lays out memory for the present input shapes. To be called once before anything else, and after each resize;
    /// calling it again without a resize changes nothing, inputs included.
    /// - Throws: `InterpreterError.tensorFlowLiteError` with the engine's reason, or `.failedToAllocateTensors`.
    public func allocateTensors() throws {
        try sessions.gate.held {
            do throws(RuntimeFailure) {
                try session.allocate()
            } catch {
                throw log.error(error, otherwise: InterpreterError.failedToAllocateTensors)
            }
        }
    }

    /// Runs the model on the inputs as they are, on the calling thread and as many others as the options say.
    /// - Throws: `InterpreterError.allocateTensorsRequired` before allocation and after a resize;
    ///   `.tensorFlowLiteError` with the reason when the run fails; `CancellationError` when ``canceller`` stopped it.
    ///   What the outputs hold then is not defined, nor the state of recurrent operators.
    public func invoke() throws {
        try sessions.gate.held {
            guard session.isAllocated else { throw InterpreterError.allocateTensorsRequired }
            do throws(RuntimeFailure) {
                try sessions.runs.run(session)
            } catch {
                throw log.error(error, otherwise: InterpreterError.allocateTensorsRequired)
            }
        }
    }

    /// Sets the state of recurrent operators (LSTM, RNN, SVDF) back to what it is before the first run; allocation after
    /// a resize does so too. State is otherwise kept from run to run, for all signatures of the model together.
    public func resetVariableTensors() throws {
        try sessions.gate.held { sessions.resetState() }
    }

    /// Gives an input another shape, also where the model has a fixed one. Allocate again before the next use.
    /// - Parameter shape: One to eight dimensions, each above 0.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.failedToResizeInputTensor`.
    public func resizeInput(at index: Int, to shape: Tensor.Shape) throws {
        try sessions.gate.held {
            _ = try slot(at: index, in: session.inputs)
            do throws(RuntimeFailure) {
                try session.resizeInput(at: index, to: shape)
            } catch {
                log.error(error.message)
                throw InterpreterError.failedToResizeInputTensor(index: index)
            }
        }
    }

    /// Copies `data` into an input.
    /// - Parameter data: Exactly the input's bytes: row-major, little-endian elements. For strings as many as the shape
    ///   says, in TensorFlow Lite's coding, which `copy(_:toInputAt:)` makes of an array.
    /// - Returns: The input with its new contents.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invalidTensorDataType`, `.invalidTensorDataCount`,
    ///   `.allocateTensorsRequired`, checked in this order.
    @discardableResult
    public func copy(_ data: Data, toInputAt index: Int) throws -> Tensor {
        try sessions.gate.held {
            _ = try slot(at: index, in: session.inputs)
            try session.copy(
                data, toInput: index,
                mismatch: { InterpreterError.invalidTensorDataCount(provided: $0, required: $1) },
                failure: Self.inputError)
            return try input(at: index)
        }
    }
}
