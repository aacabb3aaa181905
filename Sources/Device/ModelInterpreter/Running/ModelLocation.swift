import Foundation
import HearthModelSource

/// Where an interpreter's model comes from.
enum ModelLocation: Sendable {
    case local(path: String)
    case remote(name: String)

    /// For the next run: tells whoever wants to know how the model does.
    var watch: ModelWatch {
        switch self {
        case .local(let path): ModelWatch(modelAt: path)
        case .remote(let name): ModelWatch(remoteModel: name)
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
            case nil: "Nothing in this app fetches models."
            case .notConfigured?: "It cannot be fetched before FirebaseApp is configured."
            case .beingFetched?: "However, a request has been made to download the remote model."
            case .resting(let reason)?: "It is not fetched again for now. \(reason)"
            }
        return MachineLearningError.make(
            .notFound,
            """
            Failed to load the custom model as no models currently exist on the device for the given model options: \
            remoteModelName: \(name), localModelName: (null). \(rest)
            """)
    }
}
