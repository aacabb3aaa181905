import Foundation
import HearthModelSource

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

    /// The path of the model to use now. Asks `locator` for remote models.
    func path(locator: (any ModelLocator)? = ModelLocatorRegistry.locator) throws(NSError) -> String {
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
            return path
        case .remote(let name):
            if let path = locator?.localPath(ofRemoteModel: name) { return path }
            throw VisionError.make(
                .notFound,
                locator == nil
                    ? "The remote model '\(name)' is not on this device, and nothing in this app fetches models."
                    : "The remote model '\(name)' is not on this device yet; it is being fetched. Try again later.")
        }
    }

    /// A label file that goes before the model's own.
    var labelsPath: String? {
        if case .local(_, let labelsPath) = self { labelsPath } else { nil }
    }
}
