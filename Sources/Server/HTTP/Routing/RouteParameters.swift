/// The values that a path gave to a pattern's `{names}`, percent-decoded.
public struct RouteParameters: Sendable, Hashable {
    private struct Item: Hashable {
        var name: String
        var value: String
    }

    /// A path has a few parameters: a list is faster than a dictionary.
    private var items: [Item] = []

    /// The value of `{name}`. Empty for a name that the pattern does not have.
    public subscript(name: String) -> String { items.first { $0.name == name }?.value ?? "" }

    mutating func add(_ name: String, _ value: String) { items.append(Item(name: name, value: value)) }
}
