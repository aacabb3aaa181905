/// The items of a query string in order, decoded once, with `+` read as a space. A name may repeat.
public struct QueryItems: Sendable, Hashable, Sequence {
    /// One `name=value`; the value is empty where there was no `=`.
    public struct Item: Sendable, Hashable {
        public let name: String
        public let value: String
    }

    private let items: [Item]

    /// `query` is the text after `?`. `nil` where an escape is malformed, hides a NUL, or is not UTF-8.
    init?(_ query: Substring) {
        var items: [Item] = []
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true),
                let value = PercentEncoding.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
            else { return nil }
            items.append(Item(name: name, value: value))
        }
        self.items = items
    }

    public func makeIterator() -> IndexingIterator<[Item]> { items.makeIterator() }

    /// The first value of `name` (names are case-sensitive).
    public func first(_ name: String) -> String? { items.first { $0.name == name }?.value }

    /// All values of `name`, in order.
    public func values(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }
}
