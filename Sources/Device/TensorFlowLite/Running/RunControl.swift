import Dispatch

/// Surrounds each run of a compiled model, for every subgraph: it handles cancellation and, if requested, the profile.
/// Only the thread that holds the lock may use it. It allocates nothing in runs without a profile.
final class RunControl {
    let canceller: InvocationCanceller
    private let profiler: RuntimeProfiler?
    private var recording: ProfileRecording?
    /// A serial queue always gets a thread for its work, even when many others are busy.
    private(set) lazy var backgroundQueue = DispatchQueue(label: "hearth.interpreter")

    init(_ compiled: CompiledModel, options: Interpreter.Options) throws(EngineError) {
        canceller = compiled.canceller
        profiler = options.isProfilingEnabled ? try RuntimeProfiler(compiled) : nil
    }

    /// - Throws: An `EngineError` of the step `cancelled` when the run was stopped.
    func run(_ session: InferenceSession) throws(EngineError) {
        let run = canceller.begin()
        defer { if let run { canceller.end(run) } }
        do {
            try runOnce(session)
        } catch {
            guard canceller.hasStopped else { throw error }
            throw EngineError(.cancelled, "The run was cancelled.")
        }
    }

    private func runOnce(_ session: InferenceSession) throws(EngineError) {
        guard let profiler, recording != nil else { return try session.run() }
        try profiler.start()
        do {
            try session.run()
        } catch {
            try? profiler.stop()
            throw error
        }
        try profiler.stop()
        try profiler.events { recording?.add($0) }
    }
}

// MARK: Profiles

extension RunControl {
    /// - Returns: The times of the runs during `body`.
    func profile(_ body: () throws -> Void) throws -> Profile {
        guard profiler != nil else {
            throw InterpreterError.tensorFlowLiteError(
                "Profiling needs the option isProfilingEnabled; set it when you create the interpreter.")
        }
        guard recording == nil else {
            throw InterpreterError.tensorFlowLiteError("A profile is already being recorded; finish it first.")
        }
        recording = ProfileRecording()
        defer { recording = nil }
        try body()
        return recording?.profile ?? Profile(invocationCount: 0, operators: [])
    }
}
