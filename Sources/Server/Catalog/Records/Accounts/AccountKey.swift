/// One key of a service account: an RSA key for signed assertions, and a client id and secret for tools that do not
/// sign.
package struct AccountKey: Sendable, Hashable {
    /// Lower-case hex; the `kid` of its assertions.
    package var id: String
    package var email: String
    package var clientID: String
    /// SPKI PEM; the private key is never in the server's database.
    package var publicKeyPEM: String
    /// Lower-case hex SHA-256 of the client secret.
    package var clientSecretHash: String
    package var createdMicroseconds: Int64
    /// When it ends or ended, in microseconds since 1970; nil if no end is planned.
    package var endsMicroseconds: Int64?
    /// Whether it has ended for good, whatever a clock says.
    package var hasEnded: Bool

    package init(
        id: String, email: String, clientID: String, publicKeyPEM: String, clientSecretHash: String,
        createdMicroseconds: Int64, endsMicroseconds: Int64? = nil, hasEnded: Bool = false
    ) {
        self.id = id
        self.email = email
        self.clientID = clientID
        self.publicKeyPEM = publicKeyPEM
        self.clientSecretHash = clientSecretHash
        self.createdMicroseconds = createdMicroseconds
        self.endsMicroseconds = endsMicroseconds
        self.hasEnded = hasEnded
    }
}
