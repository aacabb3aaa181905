/// Who asks, as the server knows it.
package struct InstallationIdentity: Sendable {
    package let id: String
    package let token: String

    /// Blocks. Calls `whileWaiting` some twenty times a second: what it throws ends the waiting.
    package init(_ app: FirebaseApp, renewingToken: Bool, whileWaiting: () throws -> Void) throws {
        let installations = Installations.installations(app: app)
        // First, as a registration may give another id.
        token = try installations.blockingAuthToken(forcingRefresh: renewingToken, whileWaiting: whileWaiting)
        id = try installations.blockingInstallationID()
    }

    package var headers: [(String, String)] { [("x-goog-firebase-installations-auth", token)] }
}
