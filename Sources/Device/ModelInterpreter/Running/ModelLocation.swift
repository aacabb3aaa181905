import HearthModelSource

/// Where an interpreter's model comes from.
enum ModelLocation: Sendable {
    case local(path: String)
    case remote(name: String)

    /// The path of the file to run now.
    func path() throws -> String {
        switch self {
        case .local(let path): return path
        case .remote(let name):
            let locator = ModelLocatorRegistry.locator
            if let path = locator?.localPath(ofRemoteModel: name) { return path }
            throw MachineLearningError.make(
                .notFound,
                """
                Failed to load the custom model as no models currently exist on the device for the given model options: \
                remoteModelName: \(name), localModelName: (null). \
                \(locator == nil ? "Nothing in this app fetches models." : "Its download has been asked for.")
                """)
        }
    }
}
