package import HearthCatalog

/// The caller of an admin call, with its rights according to the records at that moment.
package struct Principal: Sendable, Hashable {
    /// The service account's email, or `token:{id}`.
    package let actor: String
    /// The only project in which it may act; nil for all projects.
    package let projectID: String?
    /// The project of a call that names none; nil for a token of the whole server.
    package let homeProjectID: String?
    package let role: Role
    /// Whether the access token was issued for scopes that only read. Then the role is viewer, whatever the account's
    /// role is.
    package let isReadOnly: Bool
    /// The key or token that the caller showed; nil for others.
    package let credential: Credential?

    /// An operator acts in all projects, as an owner.
    ///
    /// - Parameter keyID: the key that the caller showed.
    package init(_ account: ServiceAccount, keyID: String? = nil, isReadOnly: Bool = false) {
        actor = account.email
        credential = keyID.map { .accountKey(id: $0, isReadOnly: isReadOnly) }
        projectID = account.isOperator ? nil : account.projectID
        homeProjectID = account.projectID
        role = isReadOnly ? .viewer : account.isOperator ? .owner : account.role
        self.isReadOnly = isReadOnly
    }

    package init(_ token: AdminToken) {
        actor = "token:\(token.id)"
        projectID = token.projectID
        homeProjectID = token.projectID
        role = token.role
        isReadOnly = false
        credential = .adminToken(id: token.id)
    }

    /// Someone with a link to one page, who may read the project.
    package init(_ link: SharedLink) {
        actor = "link:\(link.id)"
        projectID = link.projectID
        homeProjectID = link.projectID
        role = .viewer
        isReadOnly = true
        credential = nil
    }

    /// The id of the token that has this name as an actor; nil for an account.
    package static func tokenID(ofActor actor: String) -> String? {
        actor.hasPrefix("token:") ? String(actor.dropFirst("token:".count)) : nil
    }

    package func isMember(of project: String) -> Bool { projectID == nil || projectID == project }

    /// Whether it may create projects, other operators and tokens for the whole server.
    package var isOperator: Bool { projectID == nil && role == .owner }
}

/// A caller that the console has checked, for the requests that it makes in the server's own process.
package enum CheckedCaller: Sendable, Hashable {
    case signedIn(Credential)
    case sharedLink(SharedLink)
}

/// Finds the admin tokens that an account is responsible for. They stay valid when the account's keys are revoked.
package enum IssuedTokens {
    /// The tokens that the account made, those made with one of these tokens, and so on, including ended ones.
    package static func of(_ email: String, among tokens: [AdminToken]) -> [AdminToken] {
        var makers: Set<String> = [email]
        var found: Set<String> = []
        var isComplete = false
        while !isComplete {
            isComplete = true
            for token in tokens where makers.contains(token.createdBy) && found.insert(token.id).inserted {
                makers.insert(Principal(token).actor)
                isComplete = false
            }
        }
        return tokens.filter { found.contains($0.id) }
    }
}
