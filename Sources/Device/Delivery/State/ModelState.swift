/// What there is of a model on this device, for an app that switches features on with it. Hearth's addition.
public enum ModelState: Sendable, Equatable {
    /// Not on this device, and nobody is fetching it.
    case absent
    /// Not on this device yet. `fraction` of its bytes, 0...1, have arrived.
    case downloading(fraction: Float)
    case ready(CustomModel)
    /// On this device, while a newer version is being fetched.
    case updating(CustomModel, fraction: Float)
    /// The last download failed, or the newest version does not work here. `installed`, if there is one, still works.
    case failed(DownloadFailure, installed: CustomModel?)

    /// The copy on this device, whatever else goes on.
    public var model: CustomModel? {
        switch self {
        case .absent, .downloading: nil
        case .ready(let model), .updating(let model, _): model
        case .failed(_, let installed): installed
        }
    }
}
