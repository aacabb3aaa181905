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

    /// Whether it may create projects, other operators and tokens for the whole server.
    package var isOperator: Bool { projectID == nil && role == .owner }
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
