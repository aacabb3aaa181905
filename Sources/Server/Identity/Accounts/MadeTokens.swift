public import HearthCatalog

/// Which admin tokens go back to an account: they go on when its keys are revoked.
public enum MadeTokens {
    /// The tokens that the account made, and those that were made with one of these, and so on; ended ones too.
    public static func of(_ email: String, among tokens: [AdminToken]) -> [AdminToken] {
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
