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
    ///   `.tensorFlowLiteError` with the reason when the run fails. What the outputs hold then is not defined.
    public func invoke() throws {
        try sessions.gate.held {
            guard session.isAllocated else { throw InterpreterError.allocateTensorsRequired }
            do throws(RuntimeFailure) {
                try session.run()
            } catch {
                throw log.error(error, otherwise: InterpreterError.allocateTensorsRequired)
            }
        }
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
    /// - Parameter data: Exactly the input's bytes: row-major, little-endian elements.
    /// - Returns: The input with its new contents.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invalidTensorDataType`, `.invalidTensorDataCount`,
    ///   `.allocateTensorsRequired`, checked in this order.
    @discardableResult
    public func copy(_ data: Data, toInputAt index: Int) throws -> Tensor {
        try sessions.gate.held {
            let slot = try slot(at: index, in: session.inputs)
            guard slot.tensor.dataType != nil else { throw InterpreterError.invalidTensorDataType }
            let required = slot.byteCount ?? 0
            guard data.count == required else {
                throw InterpreterError.invalidTensorDataCount(provided: data.count, required: required)
            }
            try withUnsafeMutableInputBytes(at: index) { _ = data.copyBytes(to: $0) }
            return try input(at: index)
        }
    }
}
