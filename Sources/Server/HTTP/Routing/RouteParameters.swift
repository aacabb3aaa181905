/// The values that a path gave to a pattern's `{names}`, percent-decoded.
public struct RouteParameters: Sendable, Hashable {
    private var values: [String: String] = [:]

    /// The value of `{name}`. Empty for a name that the pattern does not have.
    public subscript(name: String) -> String {
        get { values[name] ?? "" }
        set { values[name] = newValue }
    }
}
