import Foundation
import Synchronization

/// The model that a labeler or detector works with: loaded once from this device, or whichever copy of a remote model is
/// the newest. Use it from any thread.
///
/// Whoever has got a model goes on with it; a newer one takes its place at the next picture, and the old one goes when
/// its last picture is done.
final class CurrentModel<Model: Sendable>: Sendable {
    private let place: ModelPlace
    private let load: @Sendable (_ path: String, _ labelsPath: String?) throws -> Model
    private let loaded = Mutex<(path: String, model: Result<Model, NSError>)?>(nil)

    /// Loads the model if it is there, and asks for its download if it is a remote one that is not. Blocks while it loads.
    init(_ place: ModelPlace, load: @escaping @Sendable (_ path: String, _ labelsPath: String?) throws -> Model) {
        self.place = place
        self.load = load
        _ = try? model()
    }

    /// The model to use for the next picture. Blocks while a model is being loaded.
    /// - Throws: Why there is none. A local model is not tried again; a remote one is, until it can be loaded.
    func model() throws(NSError) -> Model {
        // The path is asked for under the lock, so that of two threads none brings back an older model.
        try loaded.withLock { loaded throws(NSError) in
            switch place {
            case .none, .local:
                if let loaded { return try loaded.model.get() }
            case .remote: break
            }
            let path = try place.path()
            if let loaded, loaded.path == path, case .success(let model) = loaded.model { return model }
            let model = Result { try load(path, place.labelsPath) }.mapError(VisionError.wrap)
            loaded = (path, model)
            return try model.get()
        }
    }
}
