package import HearthWire

extension CredentialsFile {
    /// `GoogleService-Info.plist`; nil if the answer does not contain the key itself.
    ///
    /// - Parameters:
    ///   - bundleID: the app's own; nil for the first one that the key is for, or an invented one.
    ///   - url: the server's address, unless the server has a public one.
    package static func app(
        _ key: KeyBodies.APIKey, project: ProjectBodies.Resource, bundleID: String? = nil, url: String
    ) throws -> [UInt8]? {
        try key.key.map { secret in
            try app(
                apiKey: secret, appID: key.appId, projectID: project.projectId, projectNumber: project.projectNumber,
                bundleID: bundleID ?? key.bundleIds?.first ?? "app.hearth.\(project.projectId)",
                serverURL: project.hearthUrl ?? url)
        }
    }
}
