package import HearthConcurrency
import HearthWire

/// Provides the installation for which calls are made.
package protocol TokenSource: Sendable {
    /// The installation's id and a valid token. Blocks; call it on any thread.
    ///
    /// - Parameters:
    ///   - renewing: Whether the server must issue a new token, because it refused the last one.
    /// - Throws: `cancelled`, `noTokenInTime` or `noToken`.
    func identity(
        renewing: Bool, deadline: Deadline, cancellation: Cancellation?
    ) throws(ClientError) -> InstallationIdentity
}

/// An installation as the server knows it.
package struct InstallationIdentity: Sendable {
    package let id: String
    package let token: String

    package init(id: String, token: String) {
        self.id = id
        self.token = token
    }

    package var headers: [(String, String)] { [(WireHeader.installationToken, token)] }
}
