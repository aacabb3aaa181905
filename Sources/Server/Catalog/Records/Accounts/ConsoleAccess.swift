/// What a person showed when signing in to the console. At each moment, its rights are those of the key or token.
package enum Credential: Sendable, Hashable {
    /// A key of a service account.
    case accountKey(id: String, isReadOnly: Bool)
    case adminToken(id: String)
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
