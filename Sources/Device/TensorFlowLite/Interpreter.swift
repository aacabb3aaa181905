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
/// An interpreter belongs to one thread at a time, which is why it is not `Sendable`: the engine alone would return
/// wrong numbers without an error when two threads run it at once. A call made while another thread's call, or a run in
/// the background, is going on throws `InterpreterError.tensorFlowLiteError` and does nothing; this holds for the
/// interpreter and its signature runners together. Give each thread an interpreter of its own; any number of them may
/// run side by side. All memory goes when the last reference does.
public final class Interpreter {
    /// The options given to init.
    public let options: Options?

    /// Exactly the delegates given to init, none of which the engine can use; nil stays nil.
    public let delegates: [any Delegate]?

    let sessions: ModelSessions
    let log: RuntimeLog
    var session: InferenceSession { sessions.main }

    /// The number of inputs of the model's main subgraph.
    public var inputTensorCount: Int { sessions.graph.subgraphs[0].inputs.count }

    /// The number of outputs of the model's main subgraph.
    public var outputTensorCount: Int { sessions.graph.subgraphs[0].outputs.count }

    /// Names of the model's signatures, in the file's order; empty for models without any.
    public var signatureKeys: [String] { sessions.graph.signatures.map(\.key) }

    init(sessions: ModelSessions, options: Options?, delegates: [any Delegate]?) {
        self.sessions = sessions
        self.options = options
        self.delegates = delegates
        log = RuntimeLog(options)
    }
}

extension Interpreter {
    /// Reads the model at `modelPath` into memory; the file may change or go afterwards.
    /// - Parameter delegates: Must be nil or empty: the engine chooses by itself what runs where.
    /// - Throws: `InterpreterError.failedToLoadModel`, whose text says why, when there is no readable, sound model,
    ///   `.tensorFlowLiteError` with the reason when it is sound but the engine refuses it, naming what it lacks,
    ///   `.failedToCreateInterpreter` when the engine gives no reason.
    public convenience init(
        modelPath: String, options: Options? = nil, delegates: [any Delegate]? = nil
    ) throws {
        try self.init(options, delegates) { () throws(ModelFileError) in try ModelBytes(contentsOfFile: modelPath) }
    }

    /// For callers that have no path, such as those whose bundle lacks the model: then throws
    /// `InterpreterError.failedToLoadModel`.
    public convenience init(
        modelPath: String?, options: Options? = nil, delegates: [any Delegate]? = nil
    ) throws {
        guard let modelPath else { throw InterpreterError.failedToLoadModel }
        try self.init(modelPath: modelPath, options: options, delegates: delegates)
    }

    /// Copies the model in `modelData`.
    /// - Throws: As ``init(modelPath:options:delegates:)``.
    public convenience init(
        modelData: Data, options: Options? = nil, delegates: [any Delegate]? = nil
    ) throws {
        try self.init(options, delegates) { () throws(ModelFileError) in try ModelBytes(copying: modelData) }
    }

    /// Runs a model file that is already open, sharing its bytes with it and with other interpreters; where the engine
    /// refuses the model as it is, a rewritten copy of them, too.
    /// - Throws: `ModelFileError` when the model could harm the engine or is not supported by it;
    ///   `InterpreterError.tensorFlowLiteError` with the reason when the engine refuses it.
    public convenience init(model: ModelFile, options: Options? = nil) throws {
        try model.checkForLoading()
        do {
            let sessions = try ModelSessions(model, options: options ?? Options())
            self.init(sessions: sessions, options: options, delegates: nil)
        } catch {
            throw InterpreterError.tensorFlowLiteError(error.message)
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
    /// Lays out memory for the present input shapes. To be called once before anything else, and after each resize;
    /// calling it again without a resize changes nothing, inputs included.
    /// - Throws: `InterpreterError.tensorFlowLiteError` with the engine's reason, or `.failedToAllocateTensors`.
    public func allocateTensors() throws {
        try sessions.lock.withLock {
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
        try sessions.lock.withLock {
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
        try sessions.lock.withLock { sessions.resetState() }
    }

    /// Gives an input another shape, also where the model has a fixed one. Allocate again before the next use.
    /// - Parameter shape: One to eight dimensions, each above 0.
    /// - Throws: `InterpreterError.invalidTensorIndex`, `.failedToResizeInputTensor`.
    public func resizeInput(at index: Int, to shape: Tensor.Shape) throws {
        try sessions.lock.withLock {
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
