public import Foundation
public import HearthModelFile

/// Runs one TensorFlow Lite model on the CPU: allocate, copy inputs in, invoke, read outputs.
///
/// ```swift
/// let interpreter = try Interpreter(modelPath: path)
/// try interpreter.allocateTensors()
/// try interpreter.copy(inputData, toInputAt: 0)
/// try interpreter.invoke()
/// let scores = try interpreter.output(at: 0).data
/// ```
///
/// Only one thread at a time may use an interpreter, which is why it is not `Sendable`: with two threads at once, the
/// engine would return wrong numbers without an error. A call during another thread's call, or during a run in the
/// background, throws `InterpreterError.tensorFlowLiteError` and does nothing. This holds for the interpreter and its
/// signature runners together. Create one interpreter per thread; any number of interpreters may run in parallel. All
/// memory is freed with the last reference.
public final class Interpreter {
    /// The options passed at creation.
    public let options: Options?

    /// The delegates passed at creation: nil or an empty array, because the engine accepts no delegates.
    public let delegates: [any Delegate]?

    let sessions: ModelSessions
    let log: RuntimeLog
    var session: InferenceSession { sessions.main }

    /// The number of inputs of the model's main subgraph.
    public var inputTensorCount: Int { sessions.graph.subgraphs[0].inputs.count }

    /// The number of outputs of the model's main subgraph.
    public var outputTensorCount: Int { sessions.graph.subgraphs[0].outputs.count }

    /// The keys of the model's signatures, in the file's order; empty for models without signatures.
    public var signatureKeys: [String] { sessions.graph.signatures.map(\.key) }

    init(sessions: ModelSessions, options: Options?, delegates: [any Delegate]?) {
        self.sessions = sessions
        self.options = options
        self.delegates = delegates
        log = RuntimeLog(options)
    }
}

extension Interpreter {
    /// Reads the model at `modelPath` into memory; the file may change or be deleted afterwards.
    /// - Parameters:
    ///   - modelPath: The path of a `.tflite` file.
    ///   - options: How the model runs; nil for the defaults.
    ///   - delegates: Must be nil or empty: the engine itself decides which part runs on which processor.
    /// - Throws: `InterpreterError.failedToLoadModel`, whose text states the reason, when there is no readable, valid
    ///   model; `.tensorFlowLiteError` when the model is valid but the engine refuses it, with the name of what the
    ///   engine lacks; `.failedToCreateInterpreter` when the engine states no reason.
    public convenience init(
        modelPath: String, options: Options? = nil, delegates: [any Delegate]? = nil
    ) throws {
        try self.init(options, delegates) { () throws(ModelFileError) in try ModelBytes(contentsOfFile: modelPath) }
    }

    /// Loads a model from a path that may be nil, for example because the app's bundle lacks the model.
    /// - Throws: `InterpreterError.failedToLoadModel` for nil, and the errors of the initializer whose path is never nil.
    public convenience init(
        modelPath: String?, options: Options? = nil, delegates: [any Delegate]? = nil
    ) throws {
        guard let modelPath else { throw InterpreterError.failedToLoadModel }
        try self.init(modelPath: modelPath, options: options, delegates: delegates)
    }

    /// Copies the model in `modelData`.
    /// - Throws: The same errors as `init(modelPath:options:delegates:)`.
    public convenience init(
        modelData: Data, options: Options? = nil, delegates: [any Delegate]? = nil
    ) throws {
        try self.init(options, delegates) { () throws(ModelFileError) in try ModelBytes(copying: modelData) }
    }

    /// Runs a model file that is already open. The interpreter shares the file's bytes with it and with other
    /// interpreters. Where the engine refuses the model as it is, the interpreter also holds a rewritten copy.
    /// - Throws: `ModelFileError` when the model could harm the engine or when the engine does not support it;
    ///   `InterpreterError.tensorFlowLiteError` with the reason when the engine refuses it, `.failedToAllocateTensors`
    ///   when the machine lacks memory.
    public convenience init(model: ModelFile, options: Options? = nil) throws {
        try model.checkForLoading()
        do {
            let sessions = try ModelSessions(model, options: options ?? Options())
            self.init(sessions: sessions, options: options, delegates: nil)
        } catch {
            throw RuntimeLog(options).error(error, otherwise: InterpreterError.tensorFlowLiteError(error.message))
        }
    }

    private convenience init(
        _ options: Options?, _ delegates: [any Delegate]?, bytes: () throws(ModelFileError) -> ModelBytes
    ) throws {
        guard delegates?.isEmpty ?? true else {
            throw InterpreterError.tensorFlowLiteError("Delegates cannot be used with this engine; leave them out.")
        }
        let log = RuntimeLog(options)
        let model: ModelFile
        do {
            model = try ModelFile(bytes())
            try model.checkForLoading()
        } catch {
            if error.code == .unsupported { throw InterpreterError.tensorFlowLiteError(error.message) }
            log.error(error.message)
            throw InterpreterError.failedToLoadModel(.init(error.message))
        }
        do {
            let sessions = try ModelSessions(model, options: options ?? Options())
            self.init(sessions: sessions, options: options, delegates: delegates)
        } catch {
            throw log.error(
                error,
                otherwise: error.step == .load
                    ? InterpreterError.failedToLoadModel : InterpreterError.failedToCreateInterpreter)
        }
    }
}

extension Interpreter {
    /// Allocates memory for the current input shapes. Call it once before anything else, and after each resize. Another
    /// call without a resize changes nothing, not even the inputs.
    /// - Throws: `InterpreterError.tensorFlowLiteError` with the engine's reason, or `.failedToAllocateTensors`.
    public func allocateTensors() throws {
        try sessions.lock.withLock {
            do throws(EngineError) {
                try session.allocate()
            } catch {
                throw log.error(error, otherwise: InterpreterError.failedToAllocateTensors)
            }
        }
    }

    /// Runs the model on the current inputs, on the calling thread and on as many others as the options allow.
    /// - Throws: `InterpreterError.allocateTensorsRequired` before allocation and after a resize;
    ///   `.tensorFlowLiteError` with the reason when the run fails; `CancellationError` when ``canceller`` stopped it.
    ///   After an error, the contents of the outputs and the state of recurrent operators are undefined.
    public func invoke() throws {
        try sessions.lock.withLock {
            guard session.isAllocated else { throw InterpreterError.allocateTensorsRequired }
            do throws(EngineError) {
                try sessions.runs.run(session)
            } catch {
                throw log.error(error, otherwise: InterpreterError.allocateTensorsRequired)
            }
        }
    }

    /// Resets the state of recurrent operators (LSTM, RNN, SVDF) to its value before the first run. Allocation after a
    /// resize does so too. Otherwise the state is kept from run to run, for all signatures of the model together.
    public func resetVariableTensors() throws {
        try sessions.lock.withLock { sessions.resetState() }
    }

    /// Changes the shape of an input, even one that is fixed in the model. Allocate again before the next use.
    /// - Parameter shape: One to eight dimensions, each above 0.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.failedToResizeInputTensor`.
    public func resizeInput(at index: Int, to shape: Tensor.Shape) throws {
        try sessions.lock.withLock {
            _ = try slot(at: index, in: session.inputs)
            do throws(EngineError) {
                try session.resizeInput(at: index, to: shape)
            } catch {
                log.error(error.message)
                throw InterpreterError.failedToResizeInputTensor(index: index)
            }
        }
    }

    /// Copies `data` into an input.
    /// - Parameter data: Exactly the input's bytes: row-major, little-endian elements. For strings, as many as the
    ///   shape has elements, in TensorFlow Lite's coding, which `copy(_:toInputAt:)` produces from an array.
    /// - Returns: The input with its new contents.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.invalidTensorDataType`, `.invalidTensorDataCount`,
    ///   `.allocateTensorsRequired`, checked in this order.
    @discardableResult
    public func copy(_ data: Data, toInputAt index: Int) throws -> Tensor {
        try sessions.lock.withLock {
            _ = try slot(at: index, in: session.inputs)
            try session.copy(
                data, toInput: index,
                mismatch: { InterpreterError.invalidTensorDataCount(provided: $0, required: $1) },
                failure: Self.inputError)
            return try input(at: index)
        }
    }
}
