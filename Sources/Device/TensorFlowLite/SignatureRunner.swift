public import Foundation
import HearthModelFile

/// Runs one signature of a model: a graph with named inputs and outputs.
///
/// ```swift
/// let add = try interpreter.signatureRunner(with: "add")
/// try add.invoke(with: ["x": inputData])
/// let sums = try add.output(named: "output_0").data
/// ```
///
/// A runner keeps its interpreter alive and shares the engine with it. So only one thread at a time may use the
/// interpreter and all its runners, as ``Interpreter`` describes. Signatures of one graph share their tensors; those of
/// the main graph also share them with the interpreter.
///
/// Errors with the engine's reason are `InterpreterError.tensorFlowLiteError`. All others are
/// ``SignatureRunnerError``s.
public final class SignatureRunner {
    /// The key of the signature.
    public let signatureKey: String

    let interpreter: Interpreter
    let session: InferenceSession
    /// The indices of the named tensors among the session's inputs and outputs.
    private let inputIndices: [String: Int]
    private let outputIndices: [String: Int]

    /// The names of the inputs, in alphabetical order.
    public var inputs: [String] { inputIndices.keys.sorted() }

    /// The names of the outputs, in alphabetical order.
    public var outputs: [String] { outputIndices.keys.sorted() }

    init(_ interpreter: Interpreter, key: String) throws {
        let graph = interpreter.sessions.graph
        guard let signature = graph.signatures.first(where: { $0.key == key }) else {
            throw SignatureRunnerError.failedToCreateSignatureRunner(signatureKey: key)
        }
        self.interpreter = interpreter
        signatureKey = key
        let subgraph = graph.subgraphs[signature.subgraph]
        inputIndices = Self.indices(of: signature.inputs, in: subgraph.inputs)
        outputIndices = Self.indices(of: signature.outputs, in: subgraph.outputs)
        do throws(EngineError) {
            session = try interpreter.sessions.session(forSubgraph: signature.subgraph)
        } catch {
            throw interpreter.log.error(
                error, otherwise: SignatureRunnerError.failedToCreateSignatureRunner(signatureKey: key))
        }
        try allocate()
    }

    /// Allocates memory for the current shapes. Does nothing if no input was resized since the last call.
    /// - Throws: `SignatureRunnerError.failedToAllocateTensors`, or `InterpreterError.tensorFlowLiteError` with the
    ///   engine's reason.
    public func allocateTensors() throws {
        try lock.withLock { try allocate() }
    }

    /// Copies each of `inputs` and runs the signature. Inputs without an entry keep their contents.
    /// - Parameter inputs: Bytes by input name, in the form of `copy(_:toInputNamed:)`.
    /// - Throws: The errors of ``allocateTensors()`` and `copy(_:toInputNamed:)`; when the run fails,
    ///   `SignatureRunnerError.failedToInvokeSignature` or `InterpreterError.tensorFlowLiteError` with the engine's
    ///   reason; `CancellationError` when the interpreter's canceller stopped it.
    public func invoke(with inputs: [String: Data]) throws {
        try lock.withLock {
            try allocate()
            // In alphabetical order, so that of several mistakes always the same one is reported.
            for (name, data) in inputs.sorted(by: { $0.key < $1.key }) { try copy(data, toInputNamed: name) }
            do throws(EngineError) {
                try interpreter.sessions.runs.run(session)
            } catch {
                throw interpreter.log.error(
                    error, otherwise: SignatureRunnerError.failedToInvokeSignature(signatureKey: signatureKey))
            }
        }
    }

    // MARK: For the extensions

    var lock: InterpreterLock { interpreter.sessions.lock }

    func inputIndex(_ name: String) -> Int? { inputIndices[name] }

    func outputIndex(_ name: String) -> Int? { outputIndices[name] }

    private func allocate() throws {
        do throws(EngineError) {
            try session.allocate()
        } catch {
            throw interpreter.log.error(error, otherwise: SignatureRunnerError.failedToAllocateTensors)
        }
    }

    /// A tensor that the subgraph lists twice is found at its first index; both entries share their memory.
    private static func indices(of tensors: [ModelGraph.NamedTensor], in list: [Int]) -> [String: Int] {
        var places: [String: Int] = [:]
        for tensor in tensors { places[tensor.name] = list.firstIndex(of: tensor.tensor) }
        return places
    }
}

extension Interpreter {
    /// Creates a runner for a signature of the model, and allocates its memory.
    /// - Throws: `SignatureRunnerError.failedToCreateSignatureRunner` when the model has no such signature,
    ///   `.failedToAllocateTensors`, or `InterpreterError.tensorFlowLiteError` with the engine's reason.
    public func signatureRunner(with key: String) throws -> SignatureRunner {
        try sessions.lock.withLock { try SignatureRunner(self, key: key) }
    }
}

extension SignatureRunner {
    /// Returns an input with a copy of its bytes.
    /// - Throws: `SignatureRunnerError.failedToGetTensor` for an unknown name, `.allocateTensorsRequired` after a
    ///   resize, `.invalidTensorDataType`.
    public func input(named name: String) throws -> Tensor {
        try lock.withLock { try session.tensor(of: inputSlot(name), failure: Self.error) }
    }

    /// Returns an output with a copy of its bytes. Before the first run they are undefined.
    /// - Throws: The same errors as ``input(named:)``; `.allocateTensorsRequired` also before the first run if only a
    ///   run determines the size of a tensor of the graph.
    public func output(named name: String) throws -> Tensor {
        try lock.withLock { try session.tensor(of: outputSlot(name), failure: Self.error) }
    }

    /// Describes an input without copying its bytes.
    /// - Throws: `SignatureRunnerError.failedToGetTensor`, `.invalidTensorDataType`.
    public func inputDescription(named name: String) throws -> Tensor.Description {
        try lock.withLock { try description(of: inputSlot(name)) }
    }

    /// Describes an output without copying its bytes. Shapes that the model computes are correct from the first run on.
    /// - Throws: `SignatureRunnerError.failedToGetTensor`, `.invalidTensorDataType`.
    public func outputDescription(named name: String) throws -> Tensor.Description {
        try lock.withLock { try description(of: outputSlot(name)) }
    }

    /// Changes the shape of an input, even one that is fixed in the model. Takes effect with the next
    /// ``allocateTensors()`` or ``invoke(with:)``.
    /// - Parameter shape: One to eight dimensions, each above 0.
    /// - Throws: `SignatureRunnerError.failedToResizeInputTensor`, also for an unknown name.
    public func resizeInput(named name: String, toShape shape: Tensor.Shape) throws {
        try lock.withLock {
            let error = SignatureRunnerError.failedToResizeInputTensor(inputName: name)
            guard let place = inputIndex(name) else { throw error }
            do throws(EngineError) {
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
        try lock.withLock {
            guard let place = inputIndex(name) else {
                throw SignatureRunnerError.failedToGetTensor(tensorType: "input", nameInSignature: name)
            }
            try session.copy(
                data, toInput: place,
                mismatch: { SignatureRunnerError.invalidTensorDataCount(provided: $0, required: $1) },
                failure: Self.error)
        }
    }

    /// Lends the memory from which the next run reads an input, so that the caller can write it in place, like
    /// ``Interpreter/withUnsafeMutableInputBytes(at:_:)``.
    /// - Throws: The errors of ``input(named:)`` and of `body`.
    public func withUnsafeMutableInputBytes<Result>(
        named name: String, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        try lock.withLock { try session.withMutableBytes(of: inputSlot(name), failure: Self.error, body) }
    }

    /// Lends the memory to which runs write an output, without a copy, like
    /// ``Interpreter/withUnsafeOutputBytes(at:_:)``.
    /// - Throws: The errors of ``input(named:)`` and of `body`.
    public func withUnsafeOutputBytes<Result>(
        named name: String, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try lock.withLock {
            try session.withBytes(of: outputSlot(name), failure: Self.error) { try body(UnsafeRawBufferPointer($0)) }
        }
    }
}

extension SignatureRunner {
    private func inputSlot(_ name: String) throws(SignatureRunnerError) -> TensorSlot {
        guard let place = inputIndex(name) else {
            throw .failedToGetTensor(tensorType: "input", nameInSignature: name)
        }
        return session.inputs[place]
    }

    private func outputSlot(_ name: String) throws(SignatureRunnerError) -> TensorSlot {
        guard let place = outputIndex(name) else {
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

extension SignatureRunner {
    /// Copies `values` into an input as its elements, like `Interpreter.copy(_:toInputAt:)`.
    /// - Throws: `SignatureRunnerError.failedToGetTensor` for an unknown name, then the errors of the interpreter's
    ///   method.
    public func copy<Element: TensorElement>(_ values: [Element], toInputNamed name: String) throws {
        try copy(inputDescription(named: name).data(of: values), toInputNamed: name)
    }

    /// Quantizes `reals` and copies the integers into an input, like ``Interpreter/copy(quantizing:toInputAt:)``.
    /// - Throws: `SignatureRunnerError.failedToGetTensor` for an unknown name, then the errors of the interpreter's
    ///   method.
    public func copy(quantizing reals: [Float], toInputNamed name: String) throws {
        try copy(inputDescription(named: name).data(quantizing: reals), toInputNamed: name)
    }
}
