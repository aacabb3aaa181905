import Foundation

extension Interpreter {
    /// Returns an input with a copy of its bytes.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.allocateTensorsRequired`, `.invalidTensorDataType`.
    public func input(at index: Int) throws -> Tensor {
        try sessions.lock.withLock {
            try session.tensor(of: slot(at: index, in: session.inputs), failure: Self.inputError)
        }
    }

    /// Returns an output with a copy of its bytes. Between allocation and the first run the bytes are undefined.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invalidTensorDataType`, `.invokeInterpreterRequired` before
    ///   allocation, and also before the first run if only a run determines the size of a tensor of the graph.
    public func output(at index: Int) throws -> Tensor {
        try sessions.lock.withLock {
            try session.tensor(of: slot(at: index, in: session.outputs), failure: Self.outputError)
        }
    }

    /// Describes an input without copying its bytes. Callable at any time. The shape is the last one requested;
    /// dimensions that the model leaves open are 1 until then.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invalidTensorDataType`.
    public func inputDescription(at index: Int) throws -> Tensor.Description {
        try sessions.lock.withLock { try description(of: slot(at: index, in: session.inputs)) }
    }

    /// Describes an output without copying its bytes. Callable at any time. The shape is correct from allocation on, or
    /// from the first run on where the model computes it.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invalidTensorDataType`.
    public func outputDescription(at index: Int) throws -> Tensor.Description {
        try sessions.lock.withLock { try description(of: slot(at: index, in: session.outputs)) }
    }

    /// Lends the memory from which the next run reads an input, so that the caller can write it in place.
    ///
    /// The pointer is aligned to 64 bytes and covers exactly the input's bytes. It is valid only during the call.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.allocateTensorsRequired`, `.invalidTensorDataType`, and what
    ///   `body` throws.
    public func withUnsafeMutableInputBytes<Result>(
        at index: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        try sessions.lock.withLock {
            try session.withMutableBytes(of: slot(at: index, in: session.inputs), failure: Self.inputError, body)
        }
    }

    /// Lends the memory to which runs write an output, without a copy.
    ///
    /// The pointer is aligned to 64 bytes and covers exactly the output's bytes. It is valid only during the call.
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
    /// - Parameter values: As many values as the input has elements, of the Swift type for the input's type;
    ///   ``TensorElement`` lists the types. Values are not converted, except `Int8` to `int4`.
    /// - Returns: The input with its new contents.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invalidTensorDataType`, `.invalidTensorDataCount` (in bytes;
    ///   in elements for `int4` and strings), `.tensorFlowLiteError` for values that such a tensor cannot hold,
    ///   `.allocateTensorsRequired`, checked in this order.
    @discardableResult
    public func copy<Element: TensorElement>(_ values: [Element], toInputAt index: Int) throws -> Tensor {
        try copy(inputDescription(at: index).data(of: values), toInputAt: index)
    }

    /// Quantizes `reals` and copies the integers into an input: real / scale, rounded to the nearest integer (halves
    /// away from zero), plus the zero point. Results outside the type's range become its lowest or highest value. Float
    /// inputs take the numbers unchanged.
    /// - Parameter reals: As many as the input has elements, in row-major order.
    /// - Returns: The input with its new contents.
    /// - Throws: `InterpreterError.invalidTensorIndex`; `.invalidTensorDataType` for types other than floats and
    ///   integers of 4 to 32 bits; `.tensorFlowLiteError` with the reason for an integer input that is not quantized,
    ///   which needs `copy(_:toInputAt:)`; `.invalidTensorDataCount` (in bytes; in elements for `int4`);
    ///   `.tensorFlowLiteError` for a NaN in a quantized input; `.allocateTensorsRequired`; checked in this order.
    @discardableResult
    public func copy(quantizing reals: [Float], toInputAt index: Int) throws -> Tensor {
        try copy(inputDescription(at: index).data(quantizing: reals), toInputAt: index)
    }
}
