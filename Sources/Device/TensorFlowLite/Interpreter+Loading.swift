public import Foundation
public import HearthModelFile

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
