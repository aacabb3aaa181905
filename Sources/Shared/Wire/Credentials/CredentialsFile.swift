import Foundation

/// The credentials files of admin tools and apps, as a server's first start and the commands write them.
package enum CredentialsFile {
    /// The keys of `GoogleService-Info.plist` that are read again after it was written.
    package static let apiKeyKey = "API_KEY"
    package static let appIDKey = "GOOGLE_APP_ID"
    package static let projectIDKey = "PROJECT_ID"
    package static let bundleIDKey = "BUNDLE_ID"
    package static let serverURLKey = "HEARTH_SERVER_URL"

    /// The contents of `admin-service-account.json`.
    package static func serviceAccount(_ key: ServiceAccountKey) throws -> [UInt8] { try WireJSON.encodePretty(key) }

    /// The contents of `GoogleService-Info.plist`.
    ///
    /// - Parameters:
    ///   - apiKey: The key itself.
    ///   - bundleID: The app's own, or an invented one if any app may use the key.
    ///   - serverURL: The server's base address.
    package static func app(
        apiKey: String, appID: String, projectID: String, projectNumber: String, bundleID: String, serverURL: String
    ) throws -> [UInt8] {
        let list = [
            apiKeyKey: apiKey, appIDKey: appID, "GCM_SENDER_ID": projectNumber, projectIDKey: projectID,
            "PLIST_VERSION": "1", bundleIDKey: bundleID, "STORAGE_BUCKET": "\(projectID).hearth",
            serverURLKey: serverURL,
        ]
        return Array(try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0))
    }
}
