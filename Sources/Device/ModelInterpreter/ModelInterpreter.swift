public import Dispatch
public import Foundation
import HearthConcurrency
import HearthModelSource
import Synchronization

/// Called with the outputs or an error; exactly one of them is nil.
public typealias ModelInterpreterRunCallback = (ModelOutputs?, (any Error)?) -> Void

/// Called with an index, which holds an unsigned integer, or an error; exactly one of them is nil.
public typealias ModelInterpreterInputOutputOpIndexCallback = (NSNumber?, (any Error)?) -> Void

/// Runs a TensorFlow Lite model of the app's own: arrays or `Data` in, arrays of numbers out.
///
/// ```swift
/// let interpreter = ModelInterpreter.modelInterpreter(localModel: CustomLocalModel(modelPath: path))
/// interpreter.run(inputs: inputs, options: options) { outputs, error in
///     guard error == nil, let outputs else { return }
///     let scores = try? outputs.output(index: 0) as? [[NSNumber]]
/// }
/// ```
///
/// Use it from any thread: runs are made one after another, in the order asked for, off the calling thread. The model is
/// loaded at first use and kept; if that fails, the error goes to the callback and the next use tries again. Errors are
/// `NSError`s in ``MachineLearningErrorDomain``.
///
/// Unlike the original, no configured `FirebaseApp` is needed for a local model. A remote one is found, or fetched, in a
/// program that also uses `Hearth` and has configured the default app.
public final class ModelInterpreter: NSObject, Sendable {
    private let location: ModelLocation
    /// Used on `work` alone; the lock is what lets the compiler know.
    private let model = Mutex<RunnableModel?>(nil)
    private let work = DispatchQueue(label: "app.hearth.model-interpreter")
    private let mutableQueue = Mutex<DispatchQueue>(.main)
    private static let isCollectionEnabled = Mutex(true)

    /// Where completions are called; the main queue by default. Hearth's addition.
    ///
    /// On Linux the main queue only runs in a program that calls `dispatchMain()`, runs a `RunLoop` on its main thread,
    /// or has an `async` main function. Any other program has to set a queue of its own here, or use the `async` methods.
    public var callbackQueue: DispatchQueue {
        get { mutableQueue.withLock { $0 } }
        set { mutableQueue.withLock { $0 = newValue } }
    }

    /// Whether the times of remote models' runs may be reported, in an app that has switched
    /// `Analytics.setModelReportingEnabled(_:)` on. Remembered by the process until it ends, for all interpreters, true by
    /// default. Nothing else is collected.
    public var isStatsCollectionEnabled: Bool {
        get { Self.isCollectionEnabled.withLock { $0 } }
        set { Self.isCollectionEnabled.withLock { $0 = newValue } }
    }

    private init(_ location: ModelLocation) {
        self.location = location
    }

    /// An interpreter for a model file. The file is read at the first run; afterwards it may change or go.
    public class func modelInterpreter(localModel: CustomLocalModel) -> ModelInterpreter {
        ModelInterpreter(.local(path: localModel.path))
    }

    /// An interpreter for a model that is fetched. The newest copy that is on the device at the first run is loaded and
    /// kept: make another interpreter for a later one. A copy that cannot be loaded is put aside, and the one before it is
    /// used. While there is none, runs fail with the code `notFound`, and ask for
    /// its download.
    public class func modelInterpreter(remoteModel: CustomRemoteModel) -> ModelInterpreter {
        ModelInterpreter(.remote(name: remoteModel.name))
    }

    /// Runs the model once. Inputs and options are taken as they are now.
    ///
    /// Errors by code: `invalidArgument` when inputs, options and model do not fit together; `outOfRange` when the options
    /// name an input or output that the model lacks; `notFound` and `failedPrecondition` when there is no model or not a
    /// usable one; `unknown` when the run fails; `internal` when an input cannot be prepared.
    public func run(
        inputs: ModelInputs, options: ModelInputOutputOptions, completion: @escaping ModelInterpreterRunCallback
    ) {
        let request = RunRequest(inputs, options)
        perform({ try self.outputs(of: request) }, then: Callback(completion: completion))
    }

    /// Finds the index of the input whose tensor is called `opName` in the model. The code is `invalidArgument` when there
    /// is none, else as for ``run(inputs:options:completion:)``.
    public func inputIndex(opName: String, completion: @escaping ModelInterpreterInputOutputOpIndexCallback) {
        perform({ try self.inputIndex(of: opName) }, then: Callback(completion: completion))
    }

    /// The same for an output.
    public func outputIndex(opName: String, completion: @escaping ModelInterpreterInputOutputOpIndexCallback) {
        perform({ try self.outputIndex(of: opName) }, then: Callback(completion: completion))
    }
}

extension ModelInterpreter {
    /// ``run(inputs:options:completion:)`` for async code; does not use the callback queue. Once begun, a run is not
    /// cancelled with its task.
    @discardableResult
    public func run(inputs: ModelInputs, options: ModelInputOutputOptions) async throws -> ModelOutputs {
        let request = RunRequest(inputs, options)
        return try await perform { try self.outputs(of: request) }
    }

    /// ``inputIndex(opName:completion:)`` for async code.
    @discardableResult
    public func inputIndex(opName: String) async throws -> NSNumber {
        try await perform { try self.inputIndex(of: opName) }
    }

    /// ``outputIndex(opName:completion:)`` for async code.
    @discardableResult
    public func outputIndex(opName: String) async throws -> NSNumber {
        try await perform { try self.outputIndex(of: opName) }
    }
}

extension ModelInterpreter {
    private func perform<Value>(
        _ step: @escaping @Sendable () throws -> Value, then callback: Callback<Result<Value, NSError>>
    ) {
        work.async {
            let result = Result(catching: step).mapError(MachineLearningError.wrap)
            callback.call(with: result, on: self.callbackQueue)
        }
    }

    private func perform<Value: Sendable>(_ step: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            work.async { continuation.resume(with: Result(catching: step).mapError(MachineLearningError.wrap)) }
        }
    }

    private func outputs(of request: RunRequest) throws -> ModelOutputs {
        try request.check()
        let watch = isStatsCollectionEnabled ? location.watch : .none
        return ModelOutputs(try withModel { model in try watch.run { try model.run(request) } })
    }

    private func inputIndex(of name: String) throws -> NSNumber {
        try withModel { NSNumber(value: try $0.interface.inputIndex(of: name)) }
    }

    private func outputIndex(of name: String) throws -> NSNumber {
        try withModel { NSNumber(value: try $0.interface.outputIndex(of: name)) }
    }

    private func withModel<Value: Sendable>(_ body: (RunnableModel) throws -> Value) throws -> Value {
        try model.withLock { model in
            let loaded = try model ?? location.load { path throws(NSError) in try RunnableModel(path: path) }
            model = loaded
            return try body(loaded)
        }
    }
}

/// Where an interpreter's model comes from.
enum ModelLocation: Sendable {
    case local(path: String)
    case remote(name: String)

    /// For the next run: tells whoever wants to know how the model does.
    var watch: ModelRunObservation {
        switch self {
        case .local(let path): ModelRunObservation(modelAt: path)
        case .remote(let name): ModelRunObservation(remoteModel: name)
        }
    }

    /// Loads the file to run now. Copies of a remote model that nobody can load are put aside.
    func load<Model>(_ load: (_ path: String) throws(NSError) -> Model) throws(NSError) -> Model {
        switch self {
        case .local(let path): return try load(path)
        case .remote(let name):
            let locator = ModelLocatorRegistry.locator
            let model = try locator?.loadNewest(name, isRefusal: RunnableModel.isRefusal, load: load)
            if let model { return model }
            throw Self.missing(name, locator?.absence(ofRemoteModel: name))
        }
    }

    private static func missing(_ name: String, _ absence: ModelAbsence?) -> NSError {
        let rest =
            switch absence {
            case nil: "This app has nothing that downloads models; import Hearth."
            case .notConfigured?: "It can be downloaded once FirebaseApp is configured."
            case .downloading?: "However, a request has been made to download the remote model."
            case .backingOff(let reason)?: "The last download failed; it is retried later. \(reason)"
            }
        return MachineLearningError.make(
            .notFound,
            """
            Failed to load the custom model as no models currently exist on the device for the given model options: \
            remoteModelName: \(name), localModelName: (null). \(rest)
            """)
    }
}
