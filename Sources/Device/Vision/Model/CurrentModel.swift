import Foundation
import HearthConcurrency
import HearthModelSource

/// The model that a labeler or detector uses: a model of this device, which is loaded once, or the newest copy of a
/// remote model that works here. Use it from any thread.
///
/// Callers that already hold a model keep using it. The first image that finds a newer copy loads it. Images on other
/// threads continue with the old model, which is freed after its last image. The old model stays if the newer one
/// cannot be loaded, or if the copies on this device are deleted.
final class CurrentModel<Model: Sendable>: Sendable {
    private typealias Loaded = (path: String, model: Model, watch: ModelRunObservation)

    private let place: ModelPlace
    private let load: @Sendable (_ path: String, _ labelsPath: String?) throws -> Model
    /// The result for the newest copy; nil before a copy was found.
    private let latest = Lock<Result<Loaded, NSError>?>(nil)
    /// The newest copy, if it is valid but does not suit this labeler or detector. That never changes, so the copy is
    /// not loaded again for every image.
    private let rejected = Lock<(path: String, error: NSError)?>(nil)
    /// Held by the one thread that looks for a newer copy and loads it. Without it, one of two threads could bring back
    /// an older copy.
    private let refreshLock = Lock(())

    /// Loads the model if it is on this device. Otherwise, if it is a remote model, it starts the download. Blocks
    /// while it loads.
    init(_ place: ModelPlace, load: @escaping @Sendable (_ path: String, _ labelsPath: String?) throws -> Model) {
        self.place = place
        self.load = load
        _ = try? model()
    }

    /// Reports the next image's run to the observer of the newest copy.
    var watch: ModelRunObservation {
        if case .success(let loaded)? = latest.withLock({ $0 }) { loaded.watch } else { .none }
    }

    /// The model to use for the next image. Blocks while another thread loads the first copy, or while this call loads
    /// a newer one.
    /// - Throws: The reason why there is no model. A local model is tried once. A remote one is tried again until it
    ///   can be loaded, or until its copy turns out to be a model for another task.
    func model() throws(NSError) -> Model {
        guard case .success(let working)? = latest.withLock({ $0 }) else {
            return try refreshLock.withLock { _ throws(NSError) in try newest() }
        }
        // The result is nil while another thread holds the lock.
        return try refreshLock.withLockIfAvailable { _ throws(NSError) in try newest() } ?? working.model
    }

    private func newest() throws(NSError) -> Model {
        let before = latest.withLock { $0 }
        if !place.isRemote, let before { return try before.get().model }
        do throws(NSError) {
            let found = try place.load { path throws(NSError) in try loaded(path, before) }
            guard let found else { throw missing(before) }
            latest.withLock { $0 = .success(found) }
            return found.model
        } catch {
            if case .success(let working)? = before { return working.model }
            latest.withLock { $0 = .failure(error) }
            throw error
        }
    }

    private func loaded(_ path: String, _ before: Result<Loaded, NSError>?) throws(NSError) -> Loaded {
        if case .success(let working)? = before, working.path == path { return working }
        if let known = rejected.withLock({ $0 }), known.path == path { throw known.error }
        let watch = ModelRunObservation(modelAt: path)
        do throws(NSError) {
            let model = try watch.load(failureCode: ModelRunObservation.loadFailureCode) { () throws(NSError) in
                do { return try load(path, place.labelsPath) } catch { throw VisionError.wrap(error) }
            }
            return (path, model, watch)
        } catch {
            let reason = error
            // An error without an underlying one is this module's own verdict on the kind of model.
            if reason.userInfo[NSUnderlyingErrorKey] == nil { rejected.withLock { $0 = (path, reason) } }
            throw reason
        }
    }

    /// Why there is no copy: the only one was rejected, or none has been downloaded yet.
    private func missing(_ before: Result<Loaded, NSError>?) -> NSError {
        guard case .failure(let refusal)? = before, refusal.code != VisionError.Code.notFound.rawValue else {
            return place.missing()
        }
        return refusal
    }
}
