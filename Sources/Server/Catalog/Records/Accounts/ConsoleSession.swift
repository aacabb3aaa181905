/// A person who is signed in to the console with one browser.
package struct ConsoleSession: Sendable, Hashable {
    /// The public part of the session's secret.
    package var id: String
    /// Lower-case hex SHA-256 of the whole secret.
    package var secretHash: String
    package var credential: Credential
    package var createdMicroseconds: Int64
    /// When it was last used, exact to about a minute.
    package var usedMicroseconds: Int64
    /// When it ends at the latest.
    package var endsMicroseconds: Int64
    /// The client's address at the sign-in.
    package var address: String
    /// What the browser called itself, at most 200 characters.
    package var browser: String

    package init(
        id: String, secretHash: String, credential: Credential, createdMicroseconds: Int64, usedMicroseconds: Int64,
        endsMicroseconds: Int64, address: String, browser: String
    ) {
        self.id = id
        self.secretHash = secretHash
        self.credential = credential
        self.createdMicroseconds = createdMicroseconds
        self.usedMicroseconds = usedMicroseconds
        self.endsMicroseconds = endsMicroseconds
        self.address = address
        self.browser = browser
    }
}
