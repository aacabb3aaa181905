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
/// A runner keeps its interpreter alive and shares the engine with it, so all of them together belong to one thread at
/// a time, as ``Interpreter`` tells. Signatures of one graph share their tensors, with the interpreter too if it is the
/// main one.
///
/// Where an error has a reason of the engine's own, `InterpreterError.tensorFlowLiteError` carries it; the rest are
/// ``SignatureRunnerError``s.
public final class SignatureRunner {
    public let signatureKey: String

    let interpreter: Interpreter
    let session: InferenceSession
    /// Places of the named tensors among the session's inputs and outputs.
    private let inputIndices: [String: Int]
    private let outputIndices: [String: Int]

    /// Names of the inputs, in alphabetical order.
    public var inputs: [String] { inputIndices.keys.sorted() }

    /// Names of the outputs, in alphabetical order.
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
        do throws(RuntimeFailure) {
            session = try interpreter.sessions.session(forSubgraph: signature.subgraph)
        } catch {
            throw interpreter.log.error(
                error, otherwise: SignatureRunnerError.failedToCreateSignatureRunner(signatureKey: key))
        }
        try allocate()
    }

    /// Reserves memory for the present shapes; does nothing unless an input was resized since the last time.
    /// - Throws: `SignatureRunnerError.failedToAllocateTensors` or the engine's reason.
    public func allocateTensors() throws {
        try lock.withLock { try allocate() }
    }

    /// Copies each of `inputs` and runs the signature. Inputs not named keep what they hold.
    /// - Parameter inputs: Bytes by input name, as ``copy(_:toInputNamed:)`` takes them.
    /// - Throws: What ``allocateTensors()`` and ``copy(_:toInputNamed:)`` throw;
    ///   `SignatureRunnerError.failedToInvokeSignature` or the engine's reason when the run fails; `CancellationError`
    ///   when the interpreter's canceller stopped it.
    public func invoke(with inputs: [String: Data]) throws {
        try lock.withLock {
            try allocate()
            // In alphabetical order, so that of several mistakes always the same one is reported.
            for (name, data) in inputs.sorted(by: { $0.key < $1.key }) { try copy(data, toInputNamed: name) }
            do throws(RuntimeFailure) {
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
        do throws(RuntimeFailure) {
            try session.allocate()
        } catch {
            throw interpreter.log.error(error, otherwise: SignatureRunnerError.failedToAllocateTensors)
        }
    }

    /// A tensor that the subgraph lists twice is found at its first place; both places share their memory.
    private static func indices(of tensors: [ModelGraph.NamedTensor], in list: [Int]) -> [String: Int] {
        var places: [String: Int] = [:]
        for tensor in tensors { places[tensor.name] = list.firstIndex(of: tensor.tensor) }
        return places
    }
}

extension Interpreter {
    /// Makes a runner for a signature of the model, with its memory allocated.
    /// - Throws: `SignatureRunnerError.failedToCreateSignatureRunner` when the model has no such signature,
    ///   `.failedToAllocateTensors`, or `InterpreterError.tensorFlowLiteError` with the engine's reason.
    public func signatureRunner(with key: String) throws -> SignatureRunner {
        try sessions.lock.withLock { try SignatureRunner(self, key: key) }
    }
}

extension SignatureRunner {
    /// An input with a copy of its bytes.
    /// - Throws: `SignatureRunnerError.failedToGetTensor` for an unknown name, `.allocateTensorsRequired` after a
    ///   resize, `.invalidTensorDataType`.
    public func input(named name: String) throws -> Tensor {
        try lock.withLock { try session.tensor(of: inputSlot(name), failure: Self.error) }
    }

    /// An output with a copy of its bytes. Before the first run they mean nothing; where only a run tells the size, there
    /// are none.
    /// - Throws: As ``input(named:)``, `.allocateTensorsRequired` also before the first run where it has no size yet.
    public func output(named name: String) throws -> Tensor {
        try lock.withLock { try session.tensor(of: outputSlot(name), failure: Self.error) }
    }

    /// What an input is, without copying it.
    /// - Throws: `SignatureRunnerError.failedToGetTensor`, `.invalidTensorDataType`.
    public func inputDescription(named name: String) throws -> Tensor.Description {
        try lock.withLock { try description(of: inputSlot(name)) }
    }

    /// What an output is, without copying it. Shapes that the model computes are right from the first run on.
    /// - Throws: `SignatureRunnerError.failedToGetTensor`, `.invalidTensorDataType`.
    public func outputDescription(named name: String) throws -> Tensor.Description {
        try lock.withLock { try description(of: outputSlot(name)) }
    }

    /// Gives an input another shape, also where the model has a fixed one. Takes effect with the next
    /// ``allocateTensors()`` or ``invoke(with:)``.
    /// - Parameter shape: One to eight dimensions, each above 0.
    /// - Throws: `SignatureRunnerError.failedToResizeInputTensor`, also for an unknown name.
    public func resizeInput(named name: String, toShape shape: Tensor.Shape) throws {
        try lock.withLock {
            let error = SignatureRunnerError.failedToResizeInputTensor(inputName: name)
            guard let place = inputIndex(name) else { throw error }
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

    /// Lends the memory that the next run reads an input from, to be written in place, as
    /// ``Interpreter/withUnsafeMutableInputBytes(at:_:)`` does.
    /// - Throws: As ``input(named:)``, and what `body` throws.
    public func withUnsafeMutableInputBytes<Result>(
        named name: String, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        try lock.withLock { try session.withMutableBytes(of: inputSlot(name), failure: Self.error, body) }
    }

    /// Lends the memory that runs write an output to, without copying it, as
    /// ``Interpreter/withUnsafeOutputBytes(at:_:)`` does.
    /// - Throws: As ``input(named:)``, and what `body` throws.
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
    /// Copies `values` into an input as its elements, as `Interpreter.copy(_:toInputAt:)` does.
    /// - Throws: `SignatureRunnerError.failedToGetTensor` for an unknown name, then as the interpreter's copy does.
    public func copy<Element: TensorElement>(_ values: [Element], toInputNamed name: String) throws {
        try copy(inputDescription(named: name).data(of: values), toInputNamed: name)
    }

    /// Copies the integers that stand for `reals` into a quantized input, as
    /// ``Interpreter/copy(quantizing:toInputAt:)`` does.
    /// - Throws: `SignatureRunnerError.failedToGetTensor` for an unknown name, then as the interpreter's copy does.
    public func copy(quantizing reals: [Float], toInputNamed name: String) throws {
        try copy(inputDescription(named: name).data(quantizing: reals), toInputNamed: name)
    }
}
