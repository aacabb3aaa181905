/// The OAuth scopes that a tool asks for. What its account may do is the account's role; scopes can only take from that.
public enum Scopes {
    private static let readOnlyEndings = [".readonly", ".read_only", ".read-only"]
    /// They tell who somebody is, and allow nothing.
    private static let neutral = [
        "openid", "email", "profile", "https://www.googleapis.com/auth/userinfo.email",
        "https://www.googleapis.com/auth/userinfo.profile",
    ]

    /// Whether the scopes, with blanks between them, only read. Google's own say so at their end, as
    /// `https://www.googleapis.com/auth/devstorage.read_only`. Whoever names none asks for all that the account may do.
    public static func areReadOnly(_ text: String?) -> Bool {
        let scopes = (text ?? "").split(separator: " ").filter { !neutral.contains(String($0)) }
        return !scopes.isEmpty && scopes.allSatisfy { scope in readOnlyEndings.contains { scope.hasSuffix($0) } }
    }
}
