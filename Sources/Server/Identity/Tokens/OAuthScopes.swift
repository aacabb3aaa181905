/// The OAuth scopes that a tool asks for. The account's role decides what it may do; scopes can only reduce that.
package enum OAuthScopes {
    private static let readOnlyEndings = [".readonly", ".read_only", ".read-only"]
    /// These scopes identify a user, and allow nothing.
    private static let neutral = [
        "openid", "email", "profile", "https://www.googleapis.com/auth/userinfo.email",
        "https://www.googleapis.com/auth/userinfo.profile",
    ]

    /// Whether the scopes, separated by blanks, only read. Google's own say so at their end, for example
    /// `https://www.googleapis.com/auth/devstorage.read_only`. Without scopes a caller asks for all that the account
    /// may do.
    package static func areReadOnly(_ text: String?) -> Bool {
        let scopes = (text ?? "").split(separator: " ").filter { !neutral.contains(String($0)) }
        return !scopes.isEmpty && scopes.allSatisfy { scope in readOnlyEndings.contains { scope.hasSuffix($0) } }
    }
}
