public import Dispatch
public import Foundation
import HearthConcurrency
import HearthModelSource

/// Called with the outputs or an error; exactly one of them is nil.
public typealias ModelInterpreterRunCallback = (ModelOutputs?, (any Error)?) -> Void

/// Called with an index, which holds an unsigned integer, or an error; exactly one of them is nil.
public typealias ModelInterpreterInputOutputOpIndexCallback = (NSNumber?, (any Error)?) -> Void

/// Runs the app's own TensorFlow Lite model: it takes arrays or `Data` and returns arrays of numbers.
///
/// ```swift
/// let interpreter = ModelInterpreter.modelInterpreter(localModel: CustomLocalModel(modelPath: path))
/// interpreter.run(inputs: inputs, options: options) { outputs, error in
///     guard error == nil, let outputs else { return }
///     let scores = try? outputs.output(index: 0) as? [[NSNumber]]
/// }
/// ```
///
/// Use it from any thread. Runs happen one after another, in the order of the calls, on another thread. The model is
/// loaded at first use and kept. If loading fails, the callback gets the error and the next use tries again. Errors are
/// `NSError`s in ``MachineLearningErrorDomain``.
///
/// Unlike the original library, a local model needs no configured `FirebaseApp`. A remote model is found or downloaded
/// only in a program that also uses `Hearth` and has configured the default app.
public final class ModelInterpreter: NSObject, Sendable {
    private let location: ModelLocation
    /// Used only on `work`; the lock shows this to the compiler.
    private let model = Lock<LoadedModel?>(nil)
    private let work = DispatchQueue(label: "app.hearth.model-interpreter")
    private let mutableQueue = Lock<DispatchQueue>(.main)
    private static let isCollectionEnabled = Lock(true)

    /// The queue for completions; the main queue by default. Hearth's addition.
    ///
    /// On Linux the main queue runs only in a program that calls `dispatchMain()`, runs a `RunLoop` on its main thread,
    /// or has an `async` main function. Any other program must set its own queue here, or use the `async` methods.
    public var callbackQueue: DispatchQueue {
        get { mutableQueue.withLock { $0 } }
        set { mutableQueue.withLock { $0 = newValue } }
    }

    /// Whether the times of remote models' runs may be reported, in an app that has switched on
    /// `Analytics.setModelReportingEnabled(_:)`. The setting applies to all interpreters of the process until it ends,
    /// and is true by default. Nothing else is collected.
    public var isStatsCollectionEnabled: Bool {
        get { Self.isCollectionEnabled.withLock { $0 } }
        set { Self.isCollectionEnabled.withLock { $0 = newValue } }
    }

    private init(_ location: ModelLocation) {
        self.location = location
    }

    /// Creates an interpreter for a model file. The file is read at the first run; afterwards it may change or be
    /// deleted.
    public class func modelInterpreter(localModel: CustomLocalModel) -> ModelInterpreter {
        ModelInterpreter(.local(path: localModel.path))
    }

    /// Creates an interpreter for a remote model. The first run loads the newest copy on the device, and the
    /// interpreter keeps it: create another interpreter for a later copy.
    ///
    /// A copy that cannot be loaded is rejected, and the copy before it is used. While there is none, runs fail with
    /// the code `notFound` and start the download.
    public class func modelInterpreter(remoteModel: CustomRemoteModel) -> ModelInterpreter {
        ModelInterpreter(.remote(name: remoteModel.name))
    }

    /// Runs the model once. Inputs and options are read before the call returns.
    ///
    /// Errors by code: `invalidArgument` when inputs, options and model do not match; `outOfRange` when the options
    /// name an input or output that the model lacks; `notFound` and `failedPrecondition` when there is no model or not
    /// a usable one; `unknown` when the run fails; `internal` when an input cannot be prepared.
    public func run(
        inputs: ModelInputs, options: ModelInputOutputOptions, completion: @escaping ModelInterpreterRunCallback
    ) {
        let request = RunRequest(inputs, options)
        perform({ try self.outputs(of: request) }, then: Callback(completion: completion))
    }

    /// Finds the index of the input whose tensor has the name `opName` in the model. The code is `invalidArgument` when
    /// there is none; other errors are those of ``run(inputs:options:completion:)``.
    public func inputIndex(opName: String, completion: @escaping ModelInterpreterInputOutputOpIndexCallback) {
        perform({ try self.inputIndex(of: opName) }, then: Callback(completion: completion))
    }

    /// Finds the index of the output whose tensor has the name `opName` in the model. The code is `invalidArgument`
    /// when there is none; other errors are those of ``run(inputs:options:completion:)``.
    public func outputIndex(opName: String, completion: @escaping ModelInterpreterInputOutputOpIndexCallback) {
        perform({ try self.outputIndex(of: opName) }, then: Callback(completion: completion))
    }
}

extension ModelInterpreter {
    /// Runs the model once, for async code. Inputs and options are read before the call waits. Errors are those of
    /// ``run(inputs:options:completion:)``; the callback queue is not used. Cancelling the task does not stop a run
    /// that has begun.
    @discardableResult
    public func run(inputs: ModelInputs, options: ModelInputOutputOptions) async throws -> ModelOutputs {
        let request = RunRequest(inputs, options)
        return try await perform { try self.outputs(of: request) }
    }

    /// Finds the index of the input whose tensor has the name `opName` in the model, for async code. Errors are those
    /// of ``inputIndex(opName:completion:)``.
    @discardableResult
    public func inputIndex(opName: String) async throws -> NSNumber {
        try await perform { try self.inputIndex(of: opName) }
    }

    /// Finds the index of the output whose tensor has the name `opName` in the model, for async code. Errors are those
    /// of ``outputIndex(opName:completion:)``.
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
        let isReported = isStatsCollectionEnabled
        return ModelOutputs(
            try withModel { model, watch in
                // An error without an underlying one is about the request.
                try watch.run(isReported: isReported, isFailure: MachineLearningError.isOfEngine) {
                    try model.run(request)
                }
            })
    }

    private func inputIndex(of name: String) throws -> NSNumber {
        try withModel { model, _ in NSNumber(value: try model.interface.inputIndex(of: name)) }
    }

    private func outputIndex(of name: String) throws -> NSNumber {
        try withModel { model, _ in NSNumber(value: try model.interface.outputIndex(of: name)) }
    }

    private func withModel<Value: Sendable>(
        _ body: (RunnableModel, ModelRunObservation) throws -> Value
    ) throws -> Value {
        try model.withLock { model in
            let loaded = try model ?? location.load { path throws(NSError) in try LoadedModel(path) }
            model = loaded
            return try body(loaded.model, loaded.watch)
        }
    }
}

/// A model that is loaded, with what watches its runs.
private struct LoadedModel {
    let model: RunnableModel
    let watch: ModelRunObservation

    init(_ path: String) throws(NSError) {
        let watch = ModelRunObservation(modelAt: path)
        model = try watch.load(failureCode: ModelRunObservation.loadFailureCode) { () throws(NSError) in
            try RunnableModel(path: path)
        }
        self.watch = watch
    }
}

/// Where an interpreter's model is stored.
enum ModelLocation: Sendable {
    case local(path: String)
    case remote(name: String)

    /// Loads the file to run now. Rejects copies of a remote model that cannot be loaded on this device.
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
