import HearthModelFile

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
