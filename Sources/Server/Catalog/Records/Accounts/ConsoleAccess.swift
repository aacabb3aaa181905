/// What a person showed when signing in to the console. At each moment, its rights are those of the key or token.
package enum Credential: Sendable, Hashable {
    /// A key of a service account.
    case accountKey(id: String, isReadOnly: Bool)
    case adminToken(id: String)
}

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

/// A code that signs a browser in to the console, once.
package struct SignInCode: Sendable, Hashable {
    /// Lower-case hex SHA-256 of the code.
    package var secretHash: String
    package var credential: Credential
    package var endsMicroseconds: Int64

    package init(secretHash: String, credential: Credential, endsMicroseconds: Int64) {
        self.secretHash = secretHash
        self.credential = credential
        self.endsMicroseconds = endsMicroseconds
    }
}

/// A link that shows one page of the console to whoever has it, and lets them change nothing.
package struct SharedLink: Sendable, Hashable {
    /// The public part of the link's secret.
    package var id: String
    /// Lower-case hex SHA-256 of the whole secret.
    package var secretHash: String
    package var projectID: String
    package var page: SharedPage
    /// A service account's email, or `token:{id}`. The link ends with that account or token.
    package var createdBy: String
    package var createdMicroseconds: Int64
    package var endsMicroseconds: Int64

    package init(
        id: String, secretHash: String, projectID: String, page: SharedPage, createdBy: String,
        createdMicroseconds: Int64, endsMicroseconds: Int64
    ) {
        self.id = id
        self.secretHash = secretHash
        self.projectID = projectID
        self.page = page
        self.createdBy = createdBy
        self.createdMicroseconds = createdMicroseconds
        self.endsMicroseconds = endsMicroseconds
    }
}

/// A page that a link may show.
package enum SharedPage: Sendable, Hashable {
    case release(model: Int64, number: Int)
    case experiment(name: String)

    /// As the audit log names it.
    package var subject: String {
        switch self {
        case .release(let model, let number): "models/\(model)/releases/\(number)"
        case .experiment(let name): "experiments/\(name)"
        }
    }
}

/// What the console keeps for a session between two requests, where several servers share the database. It disappears with
/// the session.
package struct ConsoleValue: Sendable, Hashable {
    package var sessionID: String
    /// Unique in the session.
    package var name: String
    package var value: String
    package var usedMicroseconds: Int64

    package init(sessionID: String, name: String, value: String, usedMicroseconds: Int64) {
        self.sessionID = sessionID
        self.name = name
        self.value = value
        self.usedMicroseconds = usedMicroseconds
    }
}
