import HearthConcurrency

/// The state of a model on this device, for an app that enables features when the model is there. Hearth's addition.
public enum ModelState: Sendable, Equatable {
    /// Not on this device, and not being downloaded.
    case absent
    /// Not on this device yet. `fraction` of its bytes, 0...1, have arrived.
    case downloading(fraction: Float)
    /// On this device, and not being downloaded.
    case ready(CustomModel)
    /// On this device, while a newer version is being downloaded. `fraction` of its bytes, 0...1, have arrived.
    case updating(CustomModel, fraction: Float)
    /// The last download failed, or the newest version does not work here. `installed`, if there is one, still works.
    case failed(DownloadFailure, installed: CustomModel?)

    /// The copy on this device, in any of the states.
    public var model: CustomModel? {
        switch self {
        case .absent, .downloading: nil
        case .ready(let model), .updating(let model, _): model
        case .failed(_, let installed): installed
        }
    }
}

/// An app's observation of a model's state. Ends when it is cancelled or released: keep it as long as you want to be
/// called.
public final class ModelStateObservation: Sendable {
    private let cancellation: Cancellation

    init(_ cancellation: Cancellation) { self.cancellation = cancellation }

    deinit { cancellation.cancel() }

    /// Ends the observation. If you call this on the app's callback queue, no call follows; on another thread, one call
    /// may still be running.
    public func cancel() { cancellation.cancel() }
}
