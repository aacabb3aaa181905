import Foundation
import HearthModelSource

/// Where an interpreter's model comes from.
enum ModelLocation: Sendable {
    case local(path: String)
    case remote(name: String)

    /// Loads the file to run now. Copies of a remote model that nobody can load are put aside.
    func load<Model>(_ load: (_ path: String) throws(NSError) -> Model) throws(NSError) -> Model {
        switch self {
        case .local(let path): return try load(path)
        case .remote(let name):
            let locator = ModelLocatorRegistry.locator
            let model = try locator?.loadNewest(name, isRefusal: RunnableModel.isRefusal, load: load)
            if let model { return model }
            throw Self.missing(name, canFetch: locator?.canFetch)
        }
    }

    private static func missing(_ name: String, canFetch: Bool?) -> NSError {
        let rest =
            switch canFetch {
            case nil: "Nothing in this app fetches models."
            case false?: "It cannot be fetched before FirebaseApp is configured."
            case true?: "However, a request has been made to download the remote model."
            }
        return MachineLearningError.make(
            .notFound,
            """
            Failed to load the custom model as no models currently exist on the device for the given model options: \
            remoteModelName: \(name), localModelName: (null). \(rest)
            """)
    }
}
