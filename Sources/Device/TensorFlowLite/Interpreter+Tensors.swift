import Foundation

extension Interpreter {
    /// An input with a copy of its bytes.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.allocateTensorsRequired`, `.invalidTensorDataType`.
    public func input(at index: Int) throws -> Tensor {
        try sessions.lock.withLock {
            try session.tensor(of: slot(at: index, in: session.inputs), failure: Self.inputError)
        }
    }

    /// An output with a copy of its bytes. Between allocation and the first run they mean nothing.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invalidTensorDataType`, `.invokeInterpreterRequired` before
    ///   allocation, and before the first run where only that tells the size.
    public func output(at index: Int) throws -> Tensor {
        try sessions.lock.withLock {
            try session.tensor(of: slot(at: index, in: session.outputs), failure: Self.outputError)
        }
    }

    /// What an input is, without copying it, at any time. The shape is the one last asked for; dimensions that the
    /// model leaves open are 1 until then.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invalidTensorDataType`.
    public func inputDescription(at index: Int) throws -> Tensor.Description {
        try sessions.lock.withLock { try description(of: slot(at: index, in: session.inputs)) }
    }

    /// What an output is, without copying it, at any time. The shape is right from allocation on, or from the first
    /// run on where the model computes it.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invalidTensorDataType`.
    public func outputDescription(at index: Int) throws -> Tensor.Description {
        try sessions.lock.withLock { try description(of: slot(at: index, in: session.outputs)) }
    }

    /// Lends the memory that the next run reads an input from, to be written in place.
    ///
    /// The pointer is aligned to 64 bytes and holds exactly the input's bytes; it is valid during the call only.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.allocateTensorsRequired`, `.invalidTensorDataType`, and what
    ///   `body` throws.
    public func withUnsafeMutableInputBytes<Result>(
        at index: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        try sessions.lock.withLock {
            try session.withMutableBytes(of: slot(at: index, in: session.inputs), failure: Self.inputError, body)
        }
    }

    /// Lends the memory that runs write an output to, without copying it.
    ///
    /// The pointer is aligned to 64 bytes and holds exactly the output's bytes; it is valid during the call only.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invokeInterpreterRequired` before allocation,
    ///   `.invalidTensorDataType`, and what `body` throws.
    public func withUnsafeOutputBytes<Result>(
        at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try sessions.lock.withLock {
            try session.withBytes(of: slot(at: index, in: session.outputs), failure: Self.outputError) {
                try body(UnsafeRawBufferPointer($0))
            }
        }
    }
}

extension Interpreter {
    func slot(at index: Int, in slots: [TensorSlot]) throws(InterpreterError) -> TensorSlot {
        guard slots.indices.contains(index) else {
            throw .invalidTensorIndex(index: index, maxIndex: slots.count - 1)
        }
        return slots[index]
    }

    private func description(of slot: TensorSlot) throws(InterpreterError) -> Tensor.Description {
        guard let description = slot.description else { throw .invalidTensorDataType }
        return description
    }

    static func inputError(_ failure: TensorAccessFailure) -> any Error {
        switch failure {
        case .notAllocated, .notRun: InterpreterError.allocateTensorsRequired
        case .noFixedSize: InterpreterError.invalidTensorDataType
        }
    }

    private static func outputError(_ failure: TensorAccessFailure) -> any Error {
        switch failure {
        case .notAllocated, .notRun: InterpreterError.invokeInterpreterRequired
        case .noFixedSize: InterpreterError.invalidTensorDataType
        }
    }
}

extension Interpreter {
    /// Copies `values` into an input as its elements, in row-major order.
    ///
    /// ```swift
    /// try interpreter.copy([Float(1), 3], toInputAt: 0)
    /// ```
    /// - Parameter values: As many as the input has elements, of the Swift type that stands for its type;
    ///   ``TensorElement`` lists them. Nothing is converted, except `Int8` to `int4`.
    /// - Returns: The input with its new contents.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invalidTensorDataType`, `.invalidTensorDataCount` (in bytes; in
    ///   elements for `int4` and strings), `.tensorFlowLiteError` for values that no such tensor holds,
    ///   `.allocateTensorsRequired`, checked in this order.
    @discardableResult
    public func copy<Element: TensorElement>(_ values: [Element], toInputAt index: Int) throws -> Tensor {
        try copy(inputDescription(at: index).data(of: values), toInputAt: index)
    }

    /// Copies the integers that stand for `reals` into a quantized input: real / scale, rounded to the nearest integer
    /// (halves away from zero), plus zero point. What the type cannot hold becomes its lowest or highest value. Float
    /// inputs take the numbers as they are.
    /// - Parameter reals: As many as the input has elements, in row-major order.
    /// - Returns: The input with its new contents.
    /// - Throws: `InterpreterError.invalidTensorIndex`; `.invalidTensorDataType` for other types than floats and integers
    ///   of 4 to 32 bits; `.tensorFlowLiteError` with the reason for an integer input that is not quantized, which
    ///   `copy(_:toInputAt:)` fills; `.invalidTensorDataCount` (in bytes; in elements for `int4`);
    ///   `.tensorFlowLiteError` for a NaN in a quantized input; `.allocateTensorsRequired`; checked in this order.
    @discardableResult
    public func copy(quantizing reals: [Float], toInputAt index: Int) throws -> Tensor {
        try copy(inputDescription(at: index).data(quantizing: reals), toInputAt: index)
    }
}
