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
    private let inputPlaces: [String: Int]
    private let outputPlaces: [String: Int]

    /// Names of the inputs, in alphabetical order.
    public var inputs: [String] { inputPlaces.keys.sorted() }

    /// Names of the outputs, in alphabetical order.
    public var outputs: [String] { outputPlaces.keys.sorted() }

    init(_ interpreter: Interpreter, key: String) throws {
        let graph = interpreter.sessions.graph
        guard let signature = graph.signatures.first(where: { $0.key == key }) else {
            throw SignatureRunnerError.failedToCreateSignatureRunner(signatureKey: key)
        }
        self.interpreter = interpreter
        signatureKey = key
        let subgraph = graph.subgraphs[signature.subgraph]
        inputPlaces = Self.places(of: signature.inputs, in: subgraph.inputs)
        outputPlaces = Self.places(of: signature.outputs, in: subgraph.outputs)
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
        try gate.held { try allocate() }
    }

    /// Copies each of `inputs` and runs the signature. Inputs not named keep what they hold.
    /// - Parameter inputs: Bytes by input name, as ``copy(_:toInputNamed:)`` takes them.
    /// - Throws: What ``allocateTensors()`` and ``copy(_:toInputNamed:)`` throw;
    ///   `SignatureRunnerError.failedToInvokeSignature` or the engine's reason when the run fails; `CancellationError`
    ///   when the interpreter's canceller stopped it.
    public func invoke(with inputs: [String: Data]) throws {
        try gate.held {
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

    var gate: UseGate { interpreter.sessions.gate }

    func inputPlace(_ name: String) -> Int? { inputPlaces[name] }

    func outputPlace(_ name: String) -> Int? { outputPlaces[name] }

    private func allocate() throws {
        do throws(RuntimeFailure) {
            try session.allocate()
        } catch {
            throw interpreter.log.error(error, otherwise: SignatureRunnerError.failedToAllocateTensors)
        }
    }

    /// A tensor that the subgraph lists twice is found at its first place; both places share their memory.
    private static func places(of tensors: [ModelGraph.NamedTensor], in list: [Int]) -> [String: Int] {
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
        try sessions.gate.held { try SignatureRunner(self, key: key) }
    }
}
