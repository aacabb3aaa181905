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
/// An interpreter belongs to one thread at a time, which is why it is not `Sendable`: the engine returns wrong numbers
/// without an error when two threads run it at once. Give each thread an interpreter of its own; any number of them may
/// run side by side. All memory goes when the last reference does.
public final class Interpreter {
    /// The options given to init.
    public let options: Options?

    let session: InferenceSession
    let log: RuntimeLog

    /// The number of inputs of the model's main subgraph.
    public var inputTensorCount: Int { session.inputs.count }

    /// The number of outputs of the model's main subgraph.
    public var outputTensorCount: Int { session.outputs.count }

    private init(session: InferenceSession, options: Options?) {
        self.session = session
        self.options = options
        log = RuntimeLog(options)
    }

    /// Reads the model at `modelPath` into memory; the file may change or go afterwards.
    /// - Throws: `InterpreterError.failedToLoadModel` when there is no readable, sound model,
    ///   `.tensorFlowLiteError` naming what is missing when it is sound but needs something that the engine lacks,
    ///   `.failedToCreateInterpreter` for anything else. `logLevel` `.error` shows the reason of the first and last.
    public convenience init(modelPath: String, options: Options? = nil) throws {
        let session = try Self.loadSession(options) { () throws(ModelFileError) in
            try ModelBytes(contentsOfFile: modelPath)
        }
        self.init(session: session, options: options)
    }

    /// Copies the model in `modelData`.
    /// - Throws: As ``init(modelPath:options:)``.
    public convenience init(modelData: Data, options: Options? = nil) throws {
        let session = try Self.loadSession(options) { () throws(ModelFileError) in
            try ModelBytes(copying: modelData)
        }
        self.init(session: session, options: options)
    }

    /// Runs a model file that is already open, sharing its bytes with it and with other interpreters.
    /// - Throws: `ModelFileError` when the model could harm the engine or is not supported by it;
    ///   `InterpreterError.tensorFlowLiteError` with the reason when the engine refuses it.
    public convenience init(model: ModelFile, options: Options? = nil) throws {
        try model.checkForLoading()
        do {
            self.init(session: try InferenceSession(model, options: options ?? Options()), options: options)
        } catch {
            throw InterpreterError.tensorFlowLiteError(error.message)
        }
    }

    private static func loadSession(
        _ options: Options?, bytes: () throws(ModelFileError) -> ModelBytes
    ) throws(InterpreterError) -> InferenceSession {
        let log = RuntimeLog(options)
        let model: ModelFile
        do {
            model = try ModelFile(bytes())
            try model.checkForLoading()
        } catch {
            if error.code == .unsupported { throw .tensorFlowLiteError(error.message) }
            log.error(error.message)
            throw .failedToLoadModel
        }
        do {
            return try InferenceSession(model, options: options ?? Options())
        } catch {
            if error.step == .unsupported { throw .tensorFlowLiteError(error.message) }
            log.error(error.message)
            throw error.step == .load ? .failedToLoadModel : .failedToCreateInterpreter
        }
    }
}
