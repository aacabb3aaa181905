/// The values for a pattern's `{names}` in a path, percent-decoded.
package struct RouteParameters: Sendable, Hashable {
    private struct Item: Hashable {
        var name: String
        var value: String
    }

    /// A path has a few parameters: a list is faster than a dictionary.
    private var items: [Item] = []

    /// The value of `{name}`. Empty for a name that the pattern does not have.
    package subscript(name: String) -> String { items.first { $0.name == name }?.value ?? "" }

    package init(_ values: [String: String] = [:]) {
        items = values.map { Item(name: $0.key, value: $0.value) }
    }

    /// These names with other values.
    package func mapped(_ change: (String) -> String) -> RouteParameters {
        var copy = self
        for index in copy.items.indices { copy.items[index].value = change(copy.items[index].value) }
        return copy
    }

    mutating func add(_ name: String, _ value: String) { items.append(Item(name: name, value: value)) }
}
