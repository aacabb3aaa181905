package import HearthWire

/// The server's address, and the values that each call to it carries.
package struct ServerAddress: Sendable {
    package let baseURL: String
    package let projectID: String
    package let apiKey: String
    package let bundleID: String

    /// - Throws: ``MissingOptions`` when a value is nil or empty.
    package init(
        serverURL: String?, projectID: String?, apiKey: String?, bundleID: String
    ) throws(MissingOptions) {
        guard let serverURL, !serverURL.isEmpty, let projectID, !projectID.isEmpty, let apiKey, !apiKey.isEmpty else {
            let values = [("apiKey", apiKey), ("projectID", projectID), ("serverURL", serverURL)]
            throw MissingOptions(names: values.filter { $0.1?.isEmpty ?? true }.map(\.0))
        }
        baseURL = serverURL.hasSuffix("/") ? String(serverURL.dropLast()) : serverURL
        self.projectID = projectID
        self.apiKey = apiKey
        self.bundleID = bundleID
    }

    /// The URL of a resource of the project.
    package func url(_ interface: WirePath.Interface, _ resource: String) -> String {
        baseURL + WirePath.project(projectID, interface, resource)
    }

    /// The key goes into a header, not into the URL, so that no log on the way keeps it.
    package var headers: [(String, String)] { [(WireHeader.apiKey, apiKey), (WireHeader.bundleID, bundleID)] }
}

/// Which options an app must set before it can call its server.
package struct MissingOptions: Error, Sendable, Equatable, CustomStringConvertible {
    /// Properties of `FirebaseOptions`, at least one.
    package let names: [String]

    package init(names: [String]) { self.names = names }

    /// The options, separated by commas: `FirebaseOptions.apiKey`, ...
    package var list: String { names.map { "`FirebaseOptions.\($0)`" }.joined(separator: ", ") }

    package var description: String { "The app's options lack \(list)." }
}
