import Foundation
import HearthApp

/// Who asks, as the server knows it.
struct InstallationIdentity: Sendable {
    let id: String
    let token: String

    /// Blocks. Calls `whileWaiting` some twenty times a second: what it throws ends the waiting.
    ///
    /// - Throws: `NSError` in ``RemoteConfigErrorDomain``.
    init(_ app: FirebaseApp, renewingToken: Bool, whileWaiting: () throws -> Void) throws {
        let installations = Installations.installations(app: app)
        var interruption: (any Error)?
        do {
            // First, as a registration may give another id.
            token = try installations.blockingAuthToken(forcingRefresh: renewingToken) {
                do {
                    try whileWaiting()
                } catch {
                    interruption = error
                    throw error
                }
            }
            id = try installations.blockingInstallationID()
        } catch {
            if let interruption { throw interruption }
            throw RemoteConfigError.error(
                .internalError, "Failed to get installations token. \(error.localizedDescription)", underlying: error)
        }
    }

    var headers: [(String, String)] { [("x-goog-firebase-installations-auth", token)] }
}
