import Foundation
import HearthConcurrency
import HearthModelSource

/// Where a labeler's or detector's model comes from.
enum ModelPlace: Sendable, Equatable {
    /// The app passed no model.
    case none
    /// - Parameter labelsPath: A label file that takes precedence over the model's own.
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

    /// Loads the model to use now. Rejects copies of a remote model that cannot be loaded on this device.
    /// - Returns: nil for a remote model of which `locator` knows no copy.
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
                    """
                    Local model path (\(path)) is invalid. There is nothing at this relative path; give an \
                    absolute one.
                    """
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

    /// A label file that takes precedence over the model's own.
    var labelsPath: String? {
        if case .local(_, let labelsPath) = self { labelsPath } else { nil }
    }
}
