public import Foundation

extension SignatureRunner {
    /// An input with a copy of its bytes.
    /// - Throws: `SignatureRunnerError.failedToGetTensor` for an unknown name, `.allocateTensorsRequired` after a
    ///   resize, `.invalidTensorDataType`.
    public func input(named name: String) throws -> Tensor {
        try gate.held { try session.tensor(of: inputSlot(name), failure: Self.error) }
    }

    /// An output with a copy of its bytes. Before the first run they mean nothing; where only a run tells the size, there
    /// are none.
    /// - Throws: As ``input(named:)``, `.allocateTensorsRequired` also before the first run where it has no size yet.
    public func output(named name: String) throws -> Tensor {
        try gate.held { try session.tensor(of: outputSlot(name), failure: Self.error) }
    }

    /// What an input is, without copying it.
    /// - Throws: `SignatureRunnerError.failedToGetTensor`, `.invalidTensorDataType`.
    public func inputDescription(named name: String) throws -> Tensor.Description {
        try gate.held { try description(of: inputSlot(name)) }
    }

    /// What an output is, without copying it. Shapes that the model computes are right from the first run on.
    /// - Throws: `SignatureRunnerError.failedToGetTensor`, `.invalidTensorDataType`.
    public func outputDescription(named name: String) throws -> Tensor.Description {
        try gate.held { try description(of: outputSlot(name)) }
    }

    /// Gives an input another shape, also where the model has a fixed one. Takes effect with the next
    /// ``allocateTensors()`` or ``invoke(with:)``.
    /// - Parameter shape: One to eight dimensions, each above 0.
    /// - Throws: `SignatureRunnerError.failedToResizeInputTensor`, also for an unknown name.
    public func resizeInput(named name: String, toShape shape: Tensor.Shape) throws {
        try gate.held {
            let error = SignatureRunnerError.failedToResizeInputTensor(inputName: name)
            guard let place = inputPlace(name) else { throw error }
            do throws(RuntimeFailure) {
                try session.resizeInput(at: place, to: shape)
            } catch let failure {
                interpreter.log.error(failure.message)
                throw error
            }
        }
    }

    /// Copies `data` into an input.
    /// - Parameter data: Exactly the input's bytes: row-major, little-endian elements.
    /// - Throws: `SignatureRunnerError.failedToGetTensor` for an unknown name, `.invalidTensorDataType`,
    ///   `.invalidTensorDataCount`, `.allocateTensorsRequired` after a resize, checked in this order.
    public func copy(_ data: Data, toInputNamed name: String) throws {
        try gate.held {
            guard let place = inputPlace(name) else {
                throw SignatureRunnerError.failedToGetTensor(tensorType: "input", nameInSignature: name)
            }
            try session.copy(
                data, toInput: place,
                mismatch: { SignatureRunnerError.invalidTensorDataCount(provided: $0, required: $1) },
                failure: Self.error)
        }
    }

    /// Lends the memory that the next run reads an input from, to be written in place, as
    /// ``Interpreter/withUnsafeMutableInputBytes(at:_:)`` does.
    /// - Throws: As ``input(named:)``, and what `body` throws.
    public func withUnsafeMutableInputBytes<Result>(
        named name: String, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        try gate.held { try session.withMutableBytes(of: inputSlot(name), failure: Self.error, body) }
    }

    /// Lends the memory that runs write an output to, without copying it, as
    /// ``Interpreter/withUnsafeOutputBytes(at:_:)`` does.
    /// - Throws: As ``input(named:)``, and what `body` throws.
    public func withUnsafeOutputBytes<Result>(
        named name: String, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try gate.held {
            try session.withBytes(of: outputSlot(name), failure: Self.error) { try body(UnsafeRawBufferPointer($0)) }
        }
    }
}

extension SignatureRunner {
    private func inputSlot(_ name: String) throws(SignatureRunnerError) -> TensorSlot {
        guard let place = inputPlace(name) else {
            throw .failedToGetTensor(tensorType: "input", nameInSignature: name)
        }
        return session.inputs[place]
    }

    private func outputSlot(_ name: String) throws(SignatureRunnerError) -> TensorSlot {
        guard let place = outputPlace(name) else {
            throw .failedToGetTensor(tensorType: "output", nameInSignature: name)
        }
        return session.outputs[place]
    }

    private func description(of slot: TensorSlot) throws(SignatureRunnerError) -> Tensor.Description {
        guard let description = slot.description else { throw .invalidTensorDataType }
        return description
    }

    private static func error(_ failure: TensorAccessFailure) -> any Error {
        switch failure {
        case .notAllocated, .notRun: SignatureRunnerError.allocateTensorsRequired
        case .noFixedSize: SignatureRunnerError.invalidTensorDataType
        }
    }
}
