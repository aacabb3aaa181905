package import HearthCatalog

/// Who makes an admin call, with the rights that the records give at that moment.
package struct Principal: Sendable, Hashable {
    /// The service account's email, or `token:{id}`.
    package let actor: String
    /// The only project that it may act in; nil for all of the server.
    package let projectID: String?
    /// The project that a call without one is about; nil for a token of the whole server.
    package let homeProjectID: String?
    package let role: Role
    /// The access token was asked for with scopes that only read: the role is a viewer's, whatever the account's is.
    package let isReadOnly: Bool

    /// An operator acts in all projects, as an owner.
    package init(_ account: ServiceAccount, isReadOnly: Bool = false) {
        actor = account.email
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
    }

    package func isMember(of project: String) -> Bool { projectID == nil || projectID == project }

    /// Whether it may make projects, other operators and tokens for the whole server.
    package var isOperator: Bool { projectID == nil && role == .owner }
}

/// Which admin tokens go back to an account: they go on when its keys are revoked.
package enum IssuedTokens {
    /// The tokens that the account made, and those that were made with one of these, and so on; ended ones too.
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
