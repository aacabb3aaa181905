import Foundation
import HearthModelSource
import Synchronization

/// The model that a labeler or detector works with: loaded once from this device, or whichever copy of a remote model is
/// the newest that works here. Use it from any thread.
///
/// Callers that already hold a model keep using it. A newer one is loaded by the first image that finds it, while images on
/// other threads go on with the old one, which goes when its last image is done. If the newer one cannot be loaded, or
/// the copies on this device are gone, the old one stays.
final class CurrentModel<Model: Sendable>: Sendable {
    private typealias Loaded = (path: String, model: Model)

    private let place: ModelPlace
    private let load: @Sendable (_ path: String, _ labelsPath: String?) throws -> Model
    /// What came of the newest copy; nil while none was found.
    private let latest = Mutex<Result<Loaded, NSError>?>(nil)
    /// The newest copy, when it is sound but not what this labeler or detector wants. That does not change: it is not loaded
    /// again with every image.
    private let rejected = Mutex<(path: String, error: NSError)?>(nil)
    /// Held by the one thread that asks for a newer copy and loads it, so that of two none brings back an older one.
    private let refreshLock = Mutex(())

    /// Loads the model if it is there, and asks for its download if it is a remote one that is not. Blocks while it loads.
    init(_ place: ModelPlace, load: @escaping @Sendable (_ path: String, _ labelsPath: String?) throws -> Model) {
        self.place = place
        self.load = load
        _ = try? model()
    }

    /// For the next image: tells whoever wants to know how the model does.
    var watch: ModelRunObservation { place.watch }

    /// The model to use for the next image. Blocks while the first one is being loaded, or a newer one by this call.
    /// - Throws: Why there is none. A local model is not tried again; a remote one is, until it can be loaded or turns out
    ///   to be a model for something else.
    func model() throws(NSError) -> Model {
        guard case .success(let working)? = latest.withLock({ $0 }) else {
            return try refreshLock.withLock { _ throws(NSError) in try newest() }
        }
        // Nil while another thread is at it.
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
        do {
            return (path, try load(path, place.labelsPath))
        } catch {
            let reason = VisionError.wrap(error)
            // Without a cause it is our own verdict, on what the model is.
            if reason.userInfo[NSUnderlyingErrorKey] == nil { rejected.withLock { $0 = (path, reason) } }
            throw reason
        }
    }

    /// Why there is no copy: the only one was put aside, or none was fetched yet.
    private func missing(_ before: Result<Loaded, NSError>?) -> NSError {
        guard case .failure(let refusal)? = before, refusal.code != VisionError.Code.notFound.rawValue else {
            return place.missing()
        }
        return refusal
    }
}

/// Where a labeler's or detector's model comes from.
enum ModelPlace: Sendable, Equatable {
    /// The app gave none.
    case none
    /// - Parameter labelsPath: A label file that goes before the model's own.
    case local(path: String, labelsPath: String?)
    case remote(name: String)

    init(_ model: LocalModel?) {
        guard let model else {
            self = .none
            return
        }
        self = .local(path: model.manifestPath ?? model.path, labelsPath: model.labelsPath)
    }

    init(_ model: RemoteModel?) {
        guard let model else {
            self = .none
            return
        }
        self = .remote(name: model.name)
    }

    var isRemote: Bool {
        if case .remote = self { true } else { false }
    }

    /// For the next run: tells whoever wants to know how the model does.
    var watch: ModelRunObservation {
        switch self {
        case .none: .none
        case .local(let path, _): ModelRunObservation(modelAt: path)
        case .remote(let name): ModelRunObservation(remoteModel: name)
        }
    }

    /// Loads the model to use now. Copies of a remote model that nobody can load are put aside.
    /// - Returns: nil when it is a remote model of which `locator` knows no copy.
    func load<Model>(
        locator: (any ModelLocator)? = ModelLocatorRegistry.locator, _ load: (_ path: String) throws(NSError) -> Model
    ) throws(NSError) -> Model? {
        switch self {
        case .none:
            throw VisionError.make(.invalidArgument, "Local model must not be nil.")
        case .local(let path, _):
            guard path.hasPrefix("/") || FileManager.default.fileExists(atPath: path) else {
                throw VisionError.make(
                    .invalidArgument,
                    "Local model path (\(path)) is invalid. There is nothing at this relative path; give an absolute one."
                )
            }
            return try load(path)
        case .remote(let name):
            return try locator?.loadNewest(name, isRefusal: VisionError.isRefusal, load: load)
        }
    }

    /// Why a remote model has no copy on this device.
    func missing(locator: (any ModelLocator)? = ModelLocatorRegistry.locator) -> NSError {
        guard case .remote(let name) = self else { return VisionError.make(.notFound, "There is no model.") }
        let reason =
            switch locator?.absence(ofRemoteModel: name) {
            case nil: ", and this app has no model downloader."
            case .notConfigured?: ", and cannot be downloaded before FirebaseApp is configured."
            case .downloading?: " yet; it is being downloaded. Try again later."
            case .backingOff(let reason)?: ", and the last download failed; it is retried later. \(reason)"
            }
        return VisionError.make(.notFound, "The remote model '\(name)' is not on this device\(reason)")
    }

    /// A label file that goes before the model's own.
    var labelsPath: String? {
        if case .local(_, let labelsPath) = self { labelsPath } else { nil }
    }
}
