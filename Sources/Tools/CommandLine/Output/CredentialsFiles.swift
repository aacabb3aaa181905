import Foundation
import HearthWire

/// The files that admin tools and apps sign in with, as `hearth serve` writes them too.
enum CredentialsFiles {
    /// `admin-service-account.json`.
    static func serviceAccount(_ key: ServiceAccountKey) throws -> [UInt8] {
        try PrettyJSON.encode(key)
    }

    /// `GoogleService-Info.plist`; nil when the key itself is not in the answer.
    ///
    /// - Parameters:
    ///   - bundleID: the app's own; nil for the first of those that the key is for, or a made-up one.
    ///   - url: the server's address, unless the server has a public one.
    static func app(
        _ key: KeyBodies.APIKey, project: ProjectBodies.Resource, bundleID: String? = nil, url: String
    ) throws -> [UInt8]? {
        guard let secret = key.key else { return nil }
        let list = [
            "API_KEY": secret, "GOOGLE_APP_ID": key.appId, "GCM_SENDER_ID": project.projectNumber,
            "PROJECT_ID": project.projectId, "PLIST_VERSION": "1",
            "BUNDLE_ID": bundleID ?? key.bundleIds?.first ?? "app.hearth.\(project.projectId)",
            "STORAGE_BUCKET": "\(project.projectId).hearth", "HEARTH_SERVER_URL": project.hearthUrl ?? url,
        ]
        return Array(try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0))
    }
}
